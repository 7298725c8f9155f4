/// A value that is never shown: however it is printed, it reads `***`.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// A secret.
    public init(_ value: String) {
        self.value = value
    }

    /// The value itself, for the one place that uses it.
    public func reveal() -> String { value }

    /// `***`.
    public var description: String { "***" }

    /// `***`.
    public var debugDescription: String { "***" }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
