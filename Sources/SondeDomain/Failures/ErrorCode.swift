/// A stable name of a failure, `SND-<AREA><nnn>`.
///
/// The agent's own are the static members of the extensions beside this file; a plugin's come from its descriptor.
/// docs/errors.md lists them all and a test holds the two equal.
public struct ErrorCode: Hashable, Sendable, CustomStringConvertible {
    /// The code as it is shown.
    public let text: String

    /// A code.
    public init(_ text: String) {
        self.text = text
    }

    /// The code as it is shown.
    public var description: String { text }
}
