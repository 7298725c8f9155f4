public import SondeDomain

/// One thing that was looked at, and how it is.
public struct Finding: Hashable, Sendable {
    /// What it belongs to.
    public enum Area: String, Hashable, Sendable, CaseIterable {
        /// The configuration's files.
        case configuration
        /// The running agent.
        case agent
        /// What the system allows the agent to do.
        case privileges
        /// What a source reads.
        case source
        /// What a sink sends to.
        case sink
        /// The host's clock.
        case clock
        /// Where state is kept.
        case disk
        /// The memory and the descriptors that the agent may use.
        case budget
    }

    /// How it is.
    public enum Severity: String, Hashable, Sendable {
        /// As it should be.
        case good
        /// It could not be found out.
        case unknown
        /// It works now, and may not for long.
        case warning
        /// Something does not work.
        case problem
    }

    /// What a person can do.
    public struct Fix: Hashable, Sendable {
        /// What the lines are.
        public enum Kind: String, Hashable, Sendable {
            /// Typed in a shell.
            case command
            /// Written into a drop-in of the service's unit, by `systemctl edit sonde`.
            case dropIn = "drop_in"
            /// Written into the configuration.
            case yaml
            /// A sentence.
            case advice
        }

        /// What the lines are.
        public let kind: Kind
        /// From top to bottom.
        public let lines: [String]

        /// A fix.
        public init(_ kind: Kind, _ lines: [String]) {
            self.kind = kind
            self.lines = lines
        }
    }

    /// What it belongs to.
    public let area: Area
    /// How it is.
    public let severity: Severity
    /// The source or sink, if it is about one.
    public let component: String?
    /// The stable code of the failure, if it has one.
    public let code: ErrorCode?
    /// What was found, in one sentence.
    public let message: String
    /// What a person can do, the best first; empty where nothing is to be done.
    public let fixes: [Fix]

    /// A finding.
    public init(
        _ area: Area, _ severity: Severity, _ message: String, component: String? = nil, code: ErrorCode? = nil,
        fixes: [Fix] = []
    ) {
        self.area = area
        self.severity = severity
        self.component = component
        self.code = code
        self.message = message
        self.fixes = fixes
    }

    /// The finding that something failed.
    public init(_ area: Area, of error: SondeError, severity: Severity = .problem) {
        let advice = error.recovery.compactMap { action in
            if case .advise(let text) = action { text } else { nil }
        }
        self.init(
            area, severity, error.message, component: error.component, code: error.code,
            fixes: advice.map { Fix(.advice, [$0]) })
    }
}
