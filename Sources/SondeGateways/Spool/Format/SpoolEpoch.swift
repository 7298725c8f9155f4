/// The name of a log: a UUID, within which sequence numbers are unique.
public struct SpoolEpoch: Hashable, Sendable {
    /// How many bytes the text has.
    static let length = 36

    /// The UUID in lower-case text.
    public let text: String

    /// Takes a UUID in lower-case text; nil when it is not one.
    public init?(_ text: String) {
        guard UUIDText.isValid(text) else { return nil }
        self.text = text
    }

    /// A new name.
    public static func random(using generator: inout some RandomNumberGenerator) -> SpoolEpoch {
        SpoolEpoch(made: UUIDText.random(using: &generator))
    }

    private init(made text: String) {
        self.text = text
    }
}
