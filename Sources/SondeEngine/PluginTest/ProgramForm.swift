public import SondeDomain

/// How a program is used, as far as the rules differ by it.
public struct ProgramForm: Hashable, Sendable {
    /// What it does.
    public let kind: PluginDescriptor.Kind
    /// Whether it is kept running, as a sink's program always is.
    public let isKept: Bool
    /// Whether its names and units are those of metrics, and not of another format.
    public let isNamed: Bool
    /// Whether it is sent messages, and answers them.
    public let isConversing: Bool

    /// A form.
    public init(kind: PluginDescriptor.Kind, isKept: Bool, isNamed: Bool, isConversing: Bool) {
        (self.kind, self.isKept, self.isNamed, self.isConversing) = (kind, isKept, isNamed, isConversing)
    }
}
