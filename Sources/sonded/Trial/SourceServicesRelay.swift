internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// The services of a source that is made before the agent that it works for: at first those of its trial.
final class SourceServicesRelay: SourceServices {
    private let services: Mutex<any SourceServices>

    init(_ services: any SourceServices) {
        self.services = Mutex(services)
    }

    /// From now on these are what the source calls.
    func connect(to services: any SourceServices) { self.services.withLock { $0 = services } }

    private var current: any SourceServices { services.withLock { $0 } }

    var clock: any Clock { current.clock }

    func log(_ level: LogLevel, _ message: String) { current.log(level, message) }

    func reportLoss(_ loss: Loss) { current.reportLoss(loss) }

    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool { current.reportTrouble(error, since: since) }

    func clearTrouble(_ code: ErrorCode, optionPath: String?) { current.clearTrouble(code, optionPath: optionPath) }

    func openSeries(_ series: SeriesSpecification) -> UInt64 { current.openSeries(series) }

    func closeSeries(_ handle: UInt64) { current.closeSeries(handle) }

    func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult {
        current.commit(samples, checkpoint: checkpoint, rejections: rejections)
    }

    func loadCheckpoint() -> [UInt8]? { current.loadCheckpoint() }

    func requestTick(every period: Nanoseconds) -> Bool { current.requestTick(every: period) }
}
