internal import CLinux
internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondeFormats

/// Answers requests to a running agent, over a Unix socket, on the loop's thread.
///
/// Without a connection it sets no timer and costs nothing. It answers root and the agent's own user; members of
/// the control group may read.
public final class ControlServer {
    /// The bounds on connections.
    public struct Limits: Sendable {
        /// How many there may be at once.
        public var connections = 16
        /// How many of them may have subscribed to a feed: short commands still get a connection.
        public var watchers = 12
        /// How many are reserved for peers that may change something: members of the group cannot block them.
        public var reserved = 4
        /// How long one may take to send its request, and to read its answer.
        public var idle = Nanoseconds.seconds(30)

        /// The bounds of an agent.
        public init() {}
    }

    private static let pause = Nanoseconds.seconds(1)

    private let path: String
    private let groupName: String?
    private var group: UInt32?
    private let dispatcher: ControlDispatcher
    private let feeds: [any ControlFeed]
    private let counts: ControlCounts
    private let limits: Limits
    private let isAllowed: (UInt32) -> Bool
    private let clock: any Clock
    private let log: any EventLog
    private var loop: EventLoop?
    private var listener: ControlListener?
    private let timer = LoopTimer()
    private let worker = ControlWorker()
    private var connections: [Int32: ControlConnection] = [:]
    private var resumption: MonotonicInstant?

    /// A server that was not started.
    ///
    /// `isAllowed`: which users may send every request; members of `group` may read.
    public init(
        path: String,
        group: String? = nil,
        handlers: [any ControlHandler],
        feeds: [any ControlFeed] = [],
        counts: ControlCounts = ControlCounts(),
        limits: Limits = Limits(),
        isAllowed: @escaping (UInt32) -> Bool = ControlServer.isRootOrOwnUser,
        clock: any Clock,
        log: any EventLog
    ) {
        self.path = path
        groupName = group
        dispatcher = ControlDispatcher(handlers, feeds: feeds)
        self.feeds = feeds
        self.counts = counts
        self.limits = limits
        self.isAllowed = isAllowed
        self.clock = clock
        self.log = log
    }

    /// Whether a user is root or the one that this process runs as.
    public static func isRootOrOwnUser(_ user: UInt32) -> Bool {
        user == 0 || user == geteuid()
    }

    /// Makes the socket and serves it from `loop`.
    ///
    /// A socket that cannot be made is only a warning in the log.
    public func start(on loop: EventLoop) {
        do throws(SondeError) {
            let listener = try ControlListener(path: path)
            try loop.watch(listener.socket.raw) { [unowned self] in acceptConnections() }
            loop.watch(timer) { [unowned self] in timerFired() }
            loop.watch(worker.workEnded) { [unowned self] in workFinished() }
            for feed in feeds { loop.watch(feed.timer) { [unowned self] in publish(feed) } }
            (self.loop, self.listener) = (loop, listener)
            if let groupName { admit(groupName, at: listener) }
            log.log(.debug, "the control socket is '\(path)'", component: nil)
        } catch {
            log.log(.warning, error)
        }
    }

    /// Closes every connection and removes the socket.
    public func stop() {
        dispatcher.stop()
        for descriptor in connections.keys { close(descriptor) }
        if let listener {
            loop?.unwatch(listener.socket.raw)
            listener.removeFile()
        }
        for timer in [timer, worker.workEnded] + feeds.map(\.timer) { loop?.unwatch(timer) }
        (loop, listener) = (nil, nil)
    }

    /// Lets a group's members connect; one that cannot be is a warning.
    private func admit(_ name: String, at listener: ControlListener) {
        do throws(SondeError) {
            guard let number = HostGroup.number(of: name) else {
                throw SondeError(control: .controlGroupUnusable, "this host has no group '\(name)'")
            }
            try listener.admit(number, named: name)
            group = number
        } catch {
            log.log(.warning, error)
        }
    }

    /// What a peer may request; nil: nothing.
    private func permission(of peer: ControlPeer) -> ControlPermission? {
        if isAllowed(peer.user) { return .change }
        guard let group, peer.groups.contains(group) else { return nil }
        return .read
    }

    private func publish(_ feed: any ControlFeed) {
        feed.publish()
        for (descriptor, connection) in connections where connection.subscription != nil { serve(descriptor) }
        armTimer()
    }

    private func workFinished() {
        for (job, answer) in worker.takeFinished() {
            guard let connection = connections.values.first(where: { $0.job == job }) else { continue }
            connection.finish(answer, at: clock.monotonicTime)
            resume(connection)
        }
        armTimer()
    }

    /// Watches a paused connection again.
    private func resume(_ connection: ControlConnection) {
        let descriptor = connection.socket.raw
        do throws(SondeError) {
            try loop?.watch(descriptor) { [unowned self] in serve(descriptor) }
            serve(descriptor)
        } catch {
            log.log(.debug, error)
            close(descriptor)
        }
    }

    private func acceptConnections() {
        guard let listener else { return }
        // Bounded: a client that connects repeatedly must not keep the loop from its other work.
        for _ in 0..<limits.connections {
            let descriptor = sonde_accept(listener.socket.raw)
            guard descriptor >= 0 else { return pauseUnlessEmpty(errno) }
            do throws(SondeError) {
                try admit(try OwnedDescriptor(descriptor, of: "accept"))
            } catch {
                log.log(.debug, error)
            }
        }
    }

    /// Stops accepting for a while when the system lacks a resource: the listener would stay readable and the loop
    /// would spin.
    private func pauseUnlessEmpty(_ code: Int32) {
        guard code != EAGAIN, code != EINTR, code != ECONNABORTED, let listener else { return }
        loop?.change(listener.socket.raw, to: [])
        resumption = clock.monotonicTime.advanced(by: Self.pause)
        armTimer()
    }

    private func resumeIfDue(at now: MonotonicInstant) {
        guard let resumption, resumption <= now, let listener else { return }
        self.resumption = nil
        loop?.change(listener.socket.raw, to: .readable)
    }

    private func admit(_ socket: OwnedDescriptor) throws(SondeError) {
        let peer = ControlPeer(of: socket.raw)
        guard let permission = peer.flatMap(permission) else {
            let user = peer.map { "user \($0.user)" } ?? "unknown user"
            return Self.refuse(socket.raw, SondeError(control: .controlPeerRefused, "\(user) is not answered"))
        }
        let room = permission == .change ? limits.connections : limits.connections - limits.reserved
        guard connections.count < room else {
            let message = "there are \(connections.count) connections already"
            return Self.refuse(socket.raw, SondeError(control: .controlBusy, message))
        }
        let now = clock.monotonicTime
        let connection = ControlConnection(
            socket, dispatcher: dispatcher, permission: permission, idle: limits.idle, at: now, owner: self)
        try loop?.watch(socket.raw) { [unowned self] in serve(socket.raw) }
        connections[socket.raw] = connection
        counts.connections = connections.count
        armTimer()
    }

    private func serve(_ descriptor: Int32) {
        guard let connection = connections[descriptor] else { return }
        switch connection.serve(at: clock.monotonicTime) {
        case .read: loop?.change(descriptor, to: .readable)
        case .write: loop?.change(descriptor, to: .writable)
        // A hang-up of the peer is reported nevertheless, epoll_ctl(2).
        case .listen: loop?.change(descriptor, to: [])
        // Not watched at all: a hang-up of the peer would be reported repeatedly.
        case .rest: loop?.unwatch(descriptor)
        case .close: close(descriptor)
        }
    }

    private func close(_ descriptor: Int32) {
        loop?.unwatch(descriptor)
        if let subscription = connections.removeValue(forKey: descriptor)?.subscription {
            subscription.end()
            counts.watchers -= 1
        }
        counts.connections = connections.count
        if connections.isEmpty, resumption == nil { timer.disarm() }
    }

    private func timerFired() {
        let now = clock.monotonicTime
        resumeIfDue(at: now)
        for (descriptor, connection) in connections where connection.deadline <= now {
            if connection.subscription != nil { reportStalled() }
            close(descriptor)
        }
        armTimer()
    }

    private func reportStalled() {
        counts.stalled &+= 1
        let message = "a watcher took nothing for \(DurationText.text(of: limits.idle)) and was closed"
        log.log(.info, SondeError(control: .controlWatcherStalled, message))
    }

    private func armTimer() {
        let instants = connections.values.map(\.deadline) + (resumption.map { [$0] } ?? [])
        guard let next = instants.min() else { return }
        timer.arm(at: next)
    }

    private static func refuse(_ descriptor: Int32, _ error: SondeError) {
        let answer = ControlDispatcher.refusal(error)
        _ = send(descriptor, answer, answer.count, sonde_dont_wait | sonde_no_signal)
    }
}

extension ControlServer: ControlConnectionOwner {
    func begin(_ work: @escaping @Sendable () -> [UInt8]) throws(SondeError) -> UInt64 {
        try worker.begin(work)
    }

    func subscribe(to feed: any ControlFeed, _ arguments: JSONValue) throws(SondeError) -> any ControlSubscription {
        guard counts.watchers < limits.watchers else {
            throw SondeError(control: .controlBusy, "there are \(limits.watchers) watchers already")
        }
        let subscription = try feed.subscribe(arguments)
        counts.watchers += 1
        return subscription
    }
}
