internal import SondeDomain

/// How often an instance has failed, by the code of the error.
///
/// Bounded: codes come from plugins.
public struct ErrorCounts: Hashable, Sendable {
    /// The bound on codes; further ones are counted as `other`.
    public static let bound = 32
    private static let other = "other"

    /// How often, by code.
    public private(set) var counts: [String: UInt64] = [:]

    /// Nothing has failed.
    public init() {}

    /// Counts a failure.
    mutating func add(_ code: ErrorCode) {
        let key = counts[code.text] != nil || counts.count < Self.bound ? code.text : Self.other
        counts[key, default: 0] &+= 1
    }
}
