internal import SondeDomain
public import SondeEngine
internal import Synchronization

/// Reloads on a separate thread, which exists while there is a request.
///
/// Used from the loop's thread, except the requests.
public final class ReloadThread {
    /// Reads and applies the configuration again.
    public typealias Work = @Sendable () -> Reconfigure.Outcome

    /// Where reloads are requested.
    public let requests: ReconfigureRequests
    private let wakeup = LoopTimer()
    private let threadEnded = LoopTimer()
    private let work = Mutex<Work?>(nil)
    private var thread: PluginThread?

    /// No thread, and no request; requests are ignored before ``serve(_:)``.
    public init() {
        requests = ReconfigureRequests(wakeup: wakeup)
    }

    /// What is done for each request.
    public func serve(_ work: @escaping Work) {
        self.work.withLock { $0 = work }
    }

    /// Starts reloads from `loop`; `ended` is called after each sequence of them.
    func watch(on loop: EventLoop, ended: @escaping () -> Void) {
        loop.watch(wakeup) { [unowned self] in startIfWished() }
        loop.watch(threadEnded) { [unowned self] in
            thread?.join()
            thread = nil
            ended()
            startIfWished()
        }
    }

    private func startIfWished() {
        guard thread == nil, requests.isWaiting else { return }
        let (requests, threadEnded) = (requests, threadEnded)
        guard let work = work.withLock({ $0 }) else {
            return refuse(SondeError(reload: .reloadRefused, "there is no configuration file that could be read again"))
        }
        do throws(SondeError) {
            thread = try PluginThread(name: "reload") {
                while let number = requests.take() { requests.end(number, work()) }
                threadEnded.fire()
            }
        } catch {
            refuse(error)
        }
    }

    private func refuse(_ error: SondeError) {
        if let number = requests.take() { requests.end(number, .failed(error)) }
    }
}
