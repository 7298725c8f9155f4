internal import CLinux
internal import Glibc
public import SondeDomain

/// The engine's one loop: descriptors and what to do when they are readable.
///
/// Used from one thread.
public final class EventLoop {
    private let epoll: OwnedDescriptor
    private var handlers: [Int32: () -> Void] = [:]
    private var isStopped = false

    /// A loop that watches nothing.
    ///
    /// Throws when the system has no descriptor left.
    public init() throws(SondeError) {
        epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: "epoll_create1")
    }

    /// Calls `handler` whenever the descriptor is readable.
    ///
    /// The descriptor must outlive the loop.
    public func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) throws(SondeError) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = descriptor
        guard epoll_ctl(epoll.raw, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemCall.failure("epoll_ctl", errno)
        }
        handlers[descriptor] = handler
    }

    /// Serves descriptors until `stop`.
    public func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 16)
        while !isStopped {
            let count = epoll_wait(epoll.raw, &events, Int32(events.count), -1)
            guard count > 0 else { continue }
            for event in events.prefix(Int(count)) where !isStopped {
                handlers[event.data.fd]?()
            }
        }
    }

    /// Ends `run` after the handler that calls this.
    public func stop() {
        isStopped = true
    }
}
