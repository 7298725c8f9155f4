/// Names a series for the life of the process; never reused.
public struct SeriesID: Hashable, Sendable {
    /// The number; 0 names no series.
    public let rawValue: UInt64

    /// An identifier with that number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
