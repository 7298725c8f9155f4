public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A log that keeps its lines for a test.
public final class RecordingLog: EventLog {
    /// One line.
    public struct Line: Hashable, Sendable {
        /// How urgent it is.
        public var level: LogLevel
        /// The source or sink it is about.
        public var component: String?
        /// Its text.
        public var message: String
        /// The failure that it reports, if any.
        public var error: SondeError?
    }

    private let kept = Mutex<[Line]>([])

    /// An empty log.
    public init() {}

    /// Every line so far, oldest first.
    public var lines: [Line] { kept.withLock { $0 } }

    /// The lines of that urgency.
    public func lines(_ level: LogLevel) -> [Line] { lines.filter { $0.level == level } }

    /// Keeps one line.
    public func log(_ level: LogLevel, _ message: String, component: String?) {
        kept.withLock { $0.append(Line(level: level, component: component, message: message)) }
    }

    /// Keeps one failure.
    public func log(_ level: LogLevel, _ error: SondeError) {
        let line = Line(level: level, component: error.component, message: error.message, error: error)
        kept.withLock { $0.append(line) }
    }
}
