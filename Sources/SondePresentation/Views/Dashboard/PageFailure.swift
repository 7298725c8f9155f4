internal import SondeDomain
internal import SondeFormats

/// A failure of the dashboard itself, as a page shows it.
struct PageFailure: JSONWritable {
    private let failure: DashboardFailure

    init(_ failure: DashboardFailure) {
        self.failure = failure
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("part", failure.part.rawValue)
            json.member("code", HarmlessText.line(failure.code))
            json.member("message", HarmlessText.line(failure.message))
            json.member("advice", failure.advice.map(HarmlessText.line))
            json.member("recovery", failure.recovery.word)
            json.member("label", failure.recovery.label)
            json.member("yaml", failure.recovery.yaml)
        }
    }
}

extension DashboardFailure.Recovery {
    fileprivate var word: String {
        switch self {
        case .retry: "retry"
        case .resetRange: "reset_range"
        case .retryExport: "retry_export"
        case .reconfigure: "reconfigure"
        case .dismiss: "dismiss"
        }
    }

    fileprivate var label: String {
        switch self {
        case .retry: "Ask again"
        case .resetRange: "Back to 1h"
        case .retryExport: "Export again"
        case .reconfigure: "Show what to configure"
        case .dismiss: "Dismiss"
        }
    }

    fileprivate var yaml: String? {
        guard case .reconfigure(let yaml) = self else { return nil }
        return yaml
    }
}

/// Something of the agent that fails, as a page shows it.
struct PageTrouble: JSONWritable {
    private var plugin: String
    private var code: String
    private var message: String
    private var since: String
    private var advice: [String]
    private var yaml: String?
    private var canRetry: Bool

    /// All that fails: as the status reports it where that is asked for, else as the snapshot does.
    static func all(in state: DashboardState) -> [PageTrouble] {
        if state.tab.showsStatus, let status = state.status.value, !state.isAgentGone { return all(status) }
        guard let page = state.snapshot.value else { return [] }
        return page.failures.map { PageTrouble($0, at: page.time.flatMap(TimestampText.parse)) }
    }

    private static func all(_ status: StatusState) -> [PageTrouble] {
        let agent = status.agentFailures.map { PageTrouble($0, of: "agent", at: status.time) }
        let spool = status.spoolFailures.map { PageTrouble($0, of: "spool", at: status.time) }
        return agent + spool
            + status.instances.flatMap { instance in
                instance.failures.map { failure in
                    var trouble = PageTrouble(failure, of: instance.id, at: status.time)
                    trouble.yaml = failure.yaml(of: instance).map { yaml in
                        HarmlessText.line("\(failure.place.map { "\($0): " } ?? "")\(yaml)")
                    }
                    trouble.canRetry = true
                    return trouble
                }
            }
    }

    private init(_ failure: StatusState.Failure, of part: String, at now: Timestamp?) {
        plugin = HarmlessText.line(part)
        code = HarmlessText.line(failure.code)
        message = HarmlessText.line(([failure.message] + failure.cause).joined(separator: "; because "))
        since = AgeText.since(failure.since, at: now)
        advice = failure.recovery.map(HarmlessText.line)
        canRetry = false
    }

    private init(_ failure: SnapshotPage.Failure, at now: Timestamp?) {
        (plugin, code, message) = (failure.instance, failure.code, failure.message)
        since = AgeText.since(failure.since.flatMap(TimestampText.parse), at: now)
        advice = failure.advice
        canRetry = failure.instance != "agent" && failure.instance != "spool"
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("plugin", plugin)
            json.member("code", code)
            json.member("message", message)
            json.member("since", since)
            json.member("advice", advice)
            json.member("yaml", yaml)
            json.member("canRetry", canRetry)
        }
    }
}
