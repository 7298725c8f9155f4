internal import CLinux
internal import Glibc
public import SondeDomain
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
    private let wakeup: Timer
    private let finishedEvent: OwnedDescriptor
    private let work: Mutex<Work?>
    private var thread: PluginThread?

    /// No thread, and no request; requests are ignored before ``serve(_:)``.
    ///
    /// Throws when the system has no descriptor left.
    public init() throws(SondeError) {
        wakeup = try Timer()
        requests = ReconfigureRequests(wakeup: wakeup)
        finishedEvent = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)), of: "eventfd")
        work = Mutex(nil)
    }

    /// What is done for each request.
    public func serve(_ work: @escaping Work) {
        self.work.withLock { $0 = work }
    }

    /// Starts reloads from `loop`; `ended` is called after each sequence of them.
    func watch(on loop: EventLoop, ended: @escaping () -> Void) throws(SondeError) {
        try loop.watch(wakeup.descriptor.raw) { [unowned self] in
            wakeup.acknowledge()
            startIfWished()
        }
        try loop.watch(finishedEvent.raw) { [unowned self] in
            var count: UInt64 = 0
            _ = read(finishedEvent.raw, &count, MemoryLayout<UInt64>.size)
            thread?.join()
            thread = nil
            ended()
            startIfWished()
        }
    }

    private func startIfWished() {
        guard thread == nil, requests.isWaiting else { return }
        let (requests, event) = (requests, finishedEvent)
        guard let work = work.withLock({ $0 }) else {
            return refuse(SondeError(reload: .reloadRefused, "there is no configuration file that could be read again"))
        }
        do throws(SondeError) {
            thread = try PluginThread(name: "reload") {
                while let number = requests.take() { requests.end(number, work()) }
                var one: UInt64 = 1
                _ = write(event.raw, &one, MemoryLayout<UInt64>.size)
            }
        } catch {
            refuse(error)
        }
    }

    private func refuse(_ error: SondeError) {
        if let number = requests.take() { requests.end(number, .failed(error)) }
    }
}
