import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization

/// The engine as a plugin's instance sees it: remembers everything.
final class RecordingServices: SourceServices, SinkServices {
    struct Commit: Hashable {
        var samples: [Sample]
        var checkpoint: [UInt8]?
        var rejections: [SampleRejection] = []
    }

    struct State {
        var lines: [String] = []
        var losses: [Loss] = []
        var series: [SeriesSpecification] = []
        var closed: [UInt64] = []
        var commits: [Commit] = []
        var checkpoint: [UInt8]?
        var answer = CommitResult.taken
        var period: Nanoseconds?
        var troubles: [SondeError] = []
        var rejected: [String] = []
        var onCommit: (@Sendable () -> Void)?
    }

    let state = Mutex(State())
    let time = ManualClock()
    var clock: any Clock { time }

    var lines: [String] { state.withLock { $0.lines } }
    var losses: [Loss] { state.withLock { $0.losses } }
    var series: [SeriesSpecification] { state.withLock { $0.series } }
    var commits: [Commit] { state.withLock { $0.commits } }

    func log(_ level: LogLevel, _ message: String) {
        state.withLock { $0.lines.append("\(level.name): \(message)") }
    }

    func reportLoss(_ loss: Loss) {
        state.withLock { $0.losses.append(loss) }
    }

    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        state.withLock {
            $0.troubles.append(error)
            return $0.troubles.count <= 32
        }
    }

    func clearTrouble(_ code: ErrorCode, optionPath: String?) {
        state.withLock { $0.troubles.removeAll { $0.code == code && $0.optionPath == optionPath } }
    }

    func meaning(of metric: String) -> String { "meaning of \(metric)" }

    func reject(pointOf metric: String, reason: String) {
        state.withLock { $0.rejected.append("\(metric): \(reason)") }
    }

    func openSeries(_ series: SeriesSpecification) -> UInt64 {
        state.withLock { state in
            let open = state.series.indices.last {
                state.series[$0].name == series.name && state.series[$0].attributes == series.attributes
                    && !state.closed.contains(UInt64($0 + 1))
            }
            if let open { return UInt64(open + 1) }
            state.series.append(series)
            return UInt64(state.series.count)
        }
    }

    func closeSeries(_ handle: UInt64) {
        state.withLock { $0.closed.append(handle) }
    }

    func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult {
        let (answer, next) = state.withLock {
            $0.commits.append(Commit(samples: samples, checkpoint: checkpoint, rejections: rejections))
            return ($0.answer, $0.onCommit)
        }
        next?()
        return answer
    }

    /// Runs `body` after each commit.
    func onCommit(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onCommit = body }
    }

    func loadCheckpoint() -> [UInt8]? {
        state.withLock { $0.checkpoint }
    }

    func requestTick(every period: Nanoseconds) -> Bool {
        state.withLock {
            $0.period = period
            return true
        }
    }
}

/// The agent's log of a test.
final class LineLog: EventLog {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func log(_ level: LogLevel, _ message: String, component: String?) {
        state.withLock { $0.append("\(level.name): \(message)") }
    }

    func log(_ level: LogLevel, _ error: SondeError) {
        state.withLock { $0.append("\(level.name): \(error.code) \(error.message)") }
    }
}

extension CallConditions {
    /// A call that nothing cancels.
    static func test(cancelDescriptor: Int32 = -1, isFinal: Bool = false) -> CallConditions {
        CallConditions(
            cancelDescriptor: cancelDescriptor,
            deadline: .distantFuture,
            time: Timestamp(seconds: 1_767_225_600),
            interval: .seconds(1),
            isFinal: isFinal
        )
    }
}
