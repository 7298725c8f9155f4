public import SondeDomain

/// How urgent a line of the agent's log is.
public enum LogLevel: Int32, Hashable, Sendable, Comparable, CaseIterable {
    /// For people who work on the agent or a plugin.
    case debug = 1
    /// Information of interest once.
    case info = 2
    /// Something is lost or late; the agent continues.
    case warning = 3
    /// Something failed.
    case error = 4

    /// The word that configuration and log lines use.
    public var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// Orders by urgency.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The agent's own log.
///
/// Implementations may be called from any thread and never block for long.
public protocol EventLog: Sendable {
    /// Writes one line. `component` is the `id` of a source or sink.
    func log(_ level: LogLevel, _ message: String, component: String?)
    /// Writes one failure with its code, class and recovery.
    func log(_ level: LogLevel, _ error: SondeError)
}
