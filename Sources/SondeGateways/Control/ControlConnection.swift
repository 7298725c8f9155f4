internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeFormats

/// What a connection needs of its server.
protocol ControlConnectionOwner: AnyObject {
    /// Begins work on a separate thread and returns its number.
    func begin(_ work: @escaping @Sendable () -> [UInt8]) throws(SondeError) -> UInt64
    /// Subscribes one more connection to a feed.
    func subscribe(to feed: any ControlFeed, _ arguments: JSONValue) throws(SondeError) -> any ControlSubscription
}

/// One connection: reads requests, writes answers, and reads on only when its answers were taken; once it has
/// subscribed to a feed, writes what that queues.
///
/// Memory is bounded by one line, one read and one answer, however slow the peer is.
final class ControlConnection {
    /// What is to be done with the connection.
    enum Next: Equatable {
        /// Wait until data arrives.
        case read
        /// Wait until there is room for the rest of an answer.
        case write
        /// Wait until the peer is gone: it sends nothing more.
        case listen
        /// Wait until work is done that was begun elsewhere.
        case rest
        /// Close it.
        case close
    }

    // A loop that reads little at a time goes back to signals and timers soon.
    private static let chunk = 4_096

    let socket: OwnedDescriptor
    /// When it is closed unless a request is answered before, or a line of a feed is taken.
    private(set) var deadline: MonotonicInstant
    private let permission: ControlPermission
    private let idle: Nanoseconds
    private let dispatcher: ControlDispatcher
    private unowned let owner: any ControlConnectionOwner
    /// The work that is waited for.
    private(set) var job: UInt64?
    /// The subscription to a feed, after which the connection takes no requests.
    private(set) var subscription: (any ControlSubscription)?
    private var lines = ControlLineBuffer()
    private var output: [UInt8] = []
    private var sent = 0
    private var isAtEnd = false
    /// Whether its feed cannot be sent any more.
    private var isBroken = false

    /// A new connection.
    init(
        _ socket: OwnedDescriptor,
        dispatcher: ControlDispatcher,
        permission: ControlPermission,
        idle: Nanoseconds,
        at now: MonotonicInstant,
        owner: any ControlConnectionOwner
    ) {
        self.socket = socket
        self.owner = owner
        self.dispatcher = dispatcher
        self.permission = permission
        self.idle = idle
        deadline = now.advanced(by: idle)
    }

    /// Does what can be done without waiting.
    func serve(at now: MonotonicInstant) -> Next {
        guard job == nil else { return .rest }
        guard flush(), answer(at: now) else { return .close }
        // Nothing more is read before every request is answered.
        guard isQuiet else { return job == nil ? .write : .rest }
        guard receive(), answer(at: now) else { return .close }
        guard isQuiet else { return job == nil ? .write : .rest }
        guard isAtEnd else { return .read }
        // A peer that has ended its requests may still read what it has subscribed to.
        return subscription == nil || hasHungUp ? .close : .listen
    }

    /// Work that was begun elsewhere has ended with this answer.
    func finish(_ answer: [UInt8], at now: MonotonicInstant) {
        job = nil
        output = answer
        deadline = now.advanced(by: idle)
    }

    private var isQuiet: Bool { output.isEmpty && job == nil }

    /// Sends what is queued until a send would block; false: the connection is broken.
    private func answer(at now: MonotonicInstant) -> Bool {
        while isQuiet {
            guard subscription == nil else {
                guard push(at: now) else { return true }
                guard flush(), !isBroken else { return false }
                continue
            }
            guard let line = lines.next() else { return true }
            guard let reply = dispatcher.reply(to: line, for: permission) else { continue }
            deadline = now.advanced(by: idle)
            switch reply {
            case .ready(let answer): output = answer
            case .later(let work): begin(work)
            case .subscribe(let feed, let arguments): subscribe(to: feed, arguments)
            }
            guard flush() else { return false }
        }
        return true
    }

    /// Takes what the feed has queued; false: nothing.
    private func push(at now: MonotonicInstant) -> Bool {
        deadline = now.advanced(by: idle)
        switch subscription?.next() ?? .nothing {
        case .lines(let lines): output = lines
        case .work(let work): begin(work)
        case .nothing:
            deadline = .distantFuture
            return false
        }
        return true
    }

    private func subscribe(to feed: any ControlFeed, _ arguments: JSONValue) {
        do throws(SondeError) {
            subscription = try owner.subscribe(to: feed, arguments)
            lines = ControlLineBuffer()
        } catch {
            output = ControlDispatcher.refusal(error)
        }
    }

    private func begin(_ work: @escaping @Sendable () -> [UInt8]) {
        do throws(SondeError) {
            job = try owner.begin(work)
            // The peer does not cause the time that it takes.
            deadline = .distantFuture
        } catch {
            output = ControlDispatcher.refusal(error)
            isBroken = subscription != nil
        }
    }

    /// Whether the peer has closed the connection, not only its requests.
    private var hasHungUp: Bool {
        var entry = pollfd(fd: socket.raw, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Takes what was received; false: the connection is broken.
    private func receive() -> Bool {
        var broken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
            let result = recv(socket.raw, buffer.baseAddress, buffer.count, sonde_dont_wait)
            count = max(0, result)
            if result == 0 { isAtEnd = true }
            broken = result < 0 && errno != EAGAIN && errno != EINTR
        }
        // A line without its end may be half of one: it is not answered. After a subscription nothing is.
        if subscription == nil { lines.append(bytes) }
        return !broken
    }

    /// Sends what there is room for; false: the connection is broken.
    private func flush() -> Bool {
        while sent < output.count {
            let result = output[sent...].withUnsafeBytes { rest in
                send(socket.raw, rest.baseAddress, rest.count, sonde_dont_wait | sonde_no_signal)
            }
            if result < 0 && errno == EINTR { continue }
            guard result >= 0 else { return errno == EAGAIN }
            sent += result
        }
        output = []
        sent = 0
        return true
    }
}
