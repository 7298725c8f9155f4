internal import Glibc
public import SondeDomain
public import SondeEngine
public import SondeFormats
internal import Synchronization

/// `reload`: makes the agent read its configuration again, and waits for the result.
public final class ReloadHandler: SlowControlHandler {
    // Shorter than the command's timeout.
    private static let patience = Nanoseconds.seconds(60)
    private static let pauseMilliseconds: Int32 = 20

    /// `reload`.
    public let request = "reload"
    /// It changes what the agent does.
    public let permission = ControlPermission.change
    private let requests: ReconfigureRequests
    private let clock: any Clock
    private let isStopping = Atomic<Bool>(false)

    /// A handler that makes `requests`.
    public init(_ requests: ReconfigureRequests, clock: any Clock) {
        self.requests = requests
        self.clock = clock
    }

    /// The wait is over.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// What the reload has changed; throws why nothing was.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let number = requests.make()
        let end = clock.monotonicTime.advanced(by: Self.patience)
        while clock.monotonicTime < end, !isStopping.load(ordering: .relaxed) {
            if let outcome = requests.outcome(of: number) { return try Self.answer(outcome) }
            poll(nil, 0, Self.pauseMilliseconds)
        }
        throw SondeError(reload: .reloadInterrupted, "the reload has not ended; the log will report it")
    }

    private static func answer(_ outcome: Reconfigure.Outcome) throws(SondeError) -> ControlAnswer {
        switch outcome {
        case .failed(let error): throw error
        case .carriedOut(let report): return ControlAnswer("reload") { $0.value(report) }
        }
    }
}

extension Reconfigure.Report: JSONWritable {
    /// Writes what was changed: ids, and keys of `agent:`.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("summary", summary)
            json.member("added", sources.added + sinks.added)
            json.member("changed", sources.changed + sinks.changed)
            json.member("removed", sources.removed + sinks.removed)
            json.member("kept", sources.kept + sinks.kept)
            json.member("agent", agentKeys)
            if !waiting.isEmpty { json.member("waiting", waiting) }
        }
    }
}
