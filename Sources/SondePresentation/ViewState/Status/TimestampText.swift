internal import SondeDomain

/// Reads the instants that the agent writes, `2026-01-01T00:00:00.000Z`.
enum TimestampText {
    private static let length = 24

    /// The instant; nil for any other text.
    static func parse(_ text: String) -> Timestamp? {
        text.utf8.count == length ? InstantText.parse(text) : nil
    }
}
