internal import SondeDomain
internal import Synchronization

/// Makes a source or sink that waits after a failure try again at once.
///
/// May be called from any thread.
public final class RetryNow: Sendable {
    private let requests = Mutex<[String: RetryRequest]>([:])

    /// A use case without instances.
    public init() {}

    /// Adds an instance whose thread `wakeup` wakes; the request is for its use case.
    public func add(_ id: String, wakeup: any Wakeup) -> RetryRequest {
        let request = RetryRequest(wakeup: wakeup)
        admit(request, of: id)
        return request
    }

    /// Adds an instance by its request, replacing one of the same id.
    public func admit(_ request: RetryRequest, of id: String) {
        requests.withLock { $0[id] = request }
    }

    /// Removes an instance.
    public func dismiss(_ request: RetryRequest, of id: String) {
        requests.withLock { requests in
            if requests[id] === request { requests[id] = nil }
        }
    }

    /// The instances, by id.
    public var ids: [String] { requests.withLock { $0.keys.sorted() } }

    /// Makes the instance try again at once; false: there is no such instance.
    ///
    /// One that does not wait after a failure is not affected.
    public func callAsFunction(_ id: String) -> Bool {
        guard let request = requests.withLock({ $0[id] }) else { return false }
        request.make()
        return true
    }
}

/// A request that one instance tries again at once.
public final class RetryRequest: Sendable {
    private let isMade = Atomic<Bool>(false)
    private let wakeup: any Wakeup

    /// No request; `wakeup` wakes the instance's thread.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    func make() {
        isMade.store(true, ordering: .releasing)
        wakeup.arm(at: MonotonicInstant(nanoseconds: 1))
    }

    /// Whether it was made since the last call.
    func take() -> Bool {
        isMade.exchange(false, ordering: .acquiringAndReleasing)
    }
}
