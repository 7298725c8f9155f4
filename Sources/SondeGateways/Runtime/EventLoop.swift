internal import CLinux
internal import Glibc
public import SondeDomain

/// The engine's one loop: descriptors and timers, and what to do when they are ready.
///
/// Used from one thread.
public final class EventLoop {
    /// What a descriptor is watched for.
    public struct Interest: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt32
        /// There is something to read, or the peer has closed.
        public static let readable = Interest(rawValue: EPOLLIN.rawValue)
        /// There is room to write.
        public static let writable = Interest(rawValue: EPOLLOUT.rawValue)

        /// An interest from its bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }
    }

    private let epoll: OwnedDescriptor
    private let deadlines: LoopDeadlines
    private var handlers: [Int32: () -> Void] = [:]
    private var timerHandlers: [ObjectIdentifier: () -> Void] = [:]
    private var isStopped = false

    /// A loop that watches nothing.
    ///
    /// Throws when the system has no descriptor left.
    public init() throws(SondeError) {
        epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: "epoll_create1")
        deadlines = try LoopDeadlines()
        try watch(deadlines.descriptor) { [unowned self] in serveTimers() }
    }

    /// Calls `handler` whenever the descriptor is readable.
    ///
    /// The descriptor must stay open until it is no longer watched. A handler may be called spuriously, when a
    /// descriptor was closed and its number given again: it must not block.
    public func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) throws(SondeError) {
        guard control(EPOLL_CTL_ADD, descriptor, .readable) else { throw SystemCall.failure("epoll_ctl", errno) }
        handlers[descriptor] = handler
    }

    /// Changes what a watched descriptor is watched for.
    public func change(_ descriptor: Int32, to interest: Interest) {
        _ = control(EPOLL_CTL_MOD, descriptor, interest)
    }

    /// Stops watching a descriptor; before it is closed.
    public func unwatch(_ descriptor: Int32) {
        handlers[descriptor] = nil
        _ = control(EPOLL_CTL_DEL, descriptor, [])
    }

    /// Calls `handler` whenever the timer fires.
    ///
    /// One loop at a time watches a timer.
    public func watch(_ timer: LoopTimer, _ handler: @escaping () -> Void) {
        timerHandlers[ObjectIdentifier(timer)] = handler
        timer.join(deadlines)
    }

    /// Stops watching a timer, and unsets it.
    public func unwatch(_ timer: LoopTimer) {
        timer.leave()
        timerHandlers[ObjectIdentifier(timer)] = nil
    }

    /// Serves descriptors and timers until `stop`.
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

    private func serveTimers() {
        deadlines.advance(to: SystemClock().monotonicTime)
        while !isStopped, let timer = deadlines.takeReached() { timerHandlers[timer]?() }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Interest) -> Bool {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.fd = descriptor
        return epoll_ctl(epoll.raw, operation, descriptor, &event) == 0
    }
}
