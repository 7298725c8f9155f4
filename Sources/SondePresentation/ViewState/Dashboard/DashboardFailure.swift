public import SondeDomain

/// What went wrong with a part of the dashboard, and what can be done about it.
public struct DashboardFailure: Hashable, Sendable {
    /// The part.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// The snapshot that is asked for every second.
        case snapshot
        /// The status of sources and sinks.
        case status
        /// The points of the chart.
        case history
        /// The courses of all members.
        case courses
        /// The rows of a list.
        case list
        /// What has moved from what is usual.
        case changes
        /// A file of history.
        case export
        /// A retry that was asked of a source or sink.
        case order
    }

    /// What a person can do about it with one key.
    public enum Recovery: Hashable, Sendable {
        /// Asks again at once.
        case retry
        /// Goes back to the range of an hour.
        case resetRange
        /// Exports again.
        case retryExport
        /// Shows the line of YAML that mends it.
        case reconfigure(yaml: String)
        /// Takes it off the screen.
        case dismiss
    }

    /// The part.
    public var part: Part
    /// `SND-CTL009`.
    public var code: String
    /// One sentence.
    public var message: String
    /// What a person can do besides.
    public var advice: [String]
    /// What a person can do with one key.
    public var recovery: Recovery
    /// The error.
    public var error: SondeError

    /// Whether no agent takes the request: it is gone, or has no connection left.
    public var isAbsence: Bool {
        code == ErrorCode.controlNotAnswered.text || code == ErrorCode.controlBusy.text
    }
}

extension DashboardFailure {
    init(_ part: Part, _ error: SondeError) {
        let advice = error.recovery.compactMap { if case .advise(let text) = $0 { text } else { nil } }
        self.init(
            part: part, code: error.code.text, message: error.message, advice: advice,
            recovery: Self.recovery(part, error), error: error)
    }

    private static func recovery(_ part: Part, _ error: SondeError) -> Recovery {
        switch error.code {
        case .historyOff: return .reconfigure(yaml: "agent: { state_dir: /var/lib/sonde }")
        case .controlPeerRefused, .controlChangeRefused: return .reconfigure(yaml: "agent: { control_group: GROUP }")
        default: break
        }
        switch part {
        case .export: return .retryExport
        case .history, .courses: return error.code == .controlArgumentInvalid ? .resetRange : .retry
        case .order: return .dismiss
        case .snapshot, .status, .list, .changes: return .retry
        }
    }
}
