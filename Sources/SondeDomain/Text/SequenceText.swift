/// Sequence numbers as people write them: `1200`, or `1200-1300` with both ends.
public struct SequenceText: Hashable, Sendable {
    /// The first number.
    public let first: UInt64
    /// The last one.
    public let last: UInt64

    /// Nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = UInt64(parts[0]), let last = UInt64(parts[parts.count - 1]),
            first >= 1, first <= last
        else { return nil }
        self.first = first
        self.last = last
    }
}
