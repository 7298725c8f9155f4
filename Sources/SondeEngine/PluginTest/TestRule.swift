/// A rule of a test; its raw value is its stable name.
public protocol TestRule: RawRepresentable, Hashable, Sendable where RawValue == String {
    /// What is expected, in one sentence.
    var expectation: String { get }
    /// What the author of a plugin does where it is not so.
    var advice: String { get }
    /// Whether nothing is shown of a plugin that was not seen to keep it.
    var isEssential: Bool { get }
}
