/// One entry of an MPLS label stack.
///
/// Source: RFC 3032, section 2.1.
public struct MPLSLabel: Equatable, Sendable {
    /// How long an entry is, in bytes.
    public static let length = 4

    /// The label, 0 to 1,048,575.
    public let label: UInt32
    /// Whether this is the last entry of the stack.
    public let isBottom: Bool

    /// The entry at `offset`, or nil when the bytes end inside of it.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard let entry = bytes.uint32(at: offset) else { return nil }
        label = entry >> 12
        isBottom = entry & 0x100 != 0
    }
}
