internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// The services of a sink that is made before the agent that it works for: at first those of its trial.
final class SinkServicesRelay: SinkServices {
    private let services: Mutex<any SinkServices>

    init(_ services: any SinkServices) {
        self.services = Mutex(services)
    }

    /// From now on these are what the sink calls.
    func connect(to services: any SinkServices) { self.services.withLock { $0 = services } }

    private var current: any SinkServices { services.withLock { $0 } }

    var clock: any Clock { current.clock }

    func log(_ level: LogLevel, _ message: String) { current.log(level, message) }

    func reportLoss(_ loss: Loss) { current.reportLoss(loss) }

    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool { current.reportTrouble(error, since: since) }

    func clearTrouble(_ code: ErrorCode, optionPath: String?) { current.clearTrouble(code, optionPath: optionPath) }

    func meaning(of metric: String) -> String { current.meaning(of: metric) }

    func reject(pointOf metric: String, reason: String) { current.reject(pointOf: metric, reason: reason) }
}
