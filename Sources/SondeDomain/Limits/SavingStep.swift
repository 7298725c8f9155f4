/// What the agent does without to stay within its limits, one step after another: each level has the steps before it.
public enum SavingStep: String, Hashable, Sendable, CaseIterable {
    /// Names and clients one by one.
    case names
    /// Flows and what is made of them.
    case flows
    /// Sockets one by one.
    case sockets
    /// Looks between collections.
    case peaks
    /// Metrics beyond the level `core`.
    case extended
    /// Collections as often as configured, and streams as fast as they come.
    case interval

    /// Its place in the order, from 1 on.
    public var level: Int {
        switch self {
        case .names: 1
        case .flows: 2
        case .sockets: 3
        case .peaks: 4
        case .extended: 5
        case .interval: 6
        }
    }

    /// What is not there, or less often, in words.
    public var subject: String {
        switch self {
        case .names: "names and clients"
        case .flows: "flows"
        case .sockets: "sockets one by one"
        case .peaks: "peaks between collections"
        case .extended: "metrics beyond the level core"
        case .interval: "the usual interval"
        }
    }
}
