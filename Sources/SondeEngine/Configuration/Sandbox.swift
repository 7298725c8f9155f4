/// Whether an instance of a plugin that is made for it gives up every privilege once it has opened what it needs.
public enum Sandbox: String, Hashable, Sendable, CaseIterable {
    /// It has no capability, opens no file and no socket, and executes nothing after its start.
    case on
    /// It keeps what the agent has.
    case off
}
