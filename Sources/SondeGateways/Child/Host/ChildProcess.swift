internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// The process of one instance, under its supervisor.
///
/// The agent's child is the supervisor, which ends when the program and every descendant of it have ended. Its functions may be
/// called from any thread.
final class ChildProcess: InstanceProcess {
    /// The agent's ends of what the program has as its standard input, as its standard error and as its channel.
    struct Ends {
        let input: OwnedDescriptor
        let errors: OwnedDescriptor
        let channel: OwnedDescriptor
    }

    /// What the program has as its channel.
    enum Channel {
        /// A socket as descriptor 3; its standard output goes where its errors go.
        case socket
        /// Its standard output, a pipe: programs may open it by its name, which they cannot do with a socket.
        case standardOutput
    }

    private struct State {
        var supervisor: pid_t = 0
        var pidfd: OwnedDescriptor?
        var control: OwnedDescriptor?
        /// Why the agent ends it; nil: it does not.
        var verdict: Verdict?
        /// How the one before ended.
        var lastEnd: SondeError?
        var limits = ProcessLimits()
        var group: ControlGroup?
        /// How its program ended, as waitpid(2) has it; nil: its supervisor said nothing, or could not execute it.
        var waitStatus: Int32?
        /// What ran on when its program had ended by itself.
        var leftBehind = 0
        /// How many processes the agent has ended itself because their supervisor was killed; nil: it was not.
        var orphans: Int?
    }

    private enum Verdict {
        /// It was asked to end by itself.
        case ending
        case closed
        case callHung
        case faulty(ChannelFlaw)
    }

    // Milliseconds.
    private static let step: Int32 = 10

    private let component: String
    // Pidfds come and go; the set of them stays.
    private let ends: OwnedDescriptor
    private let state = Mutex(State())

    /// No process yet; throws when the system has no descriptor left.
    init(component: String) throws(SondeError) {
        self.component = component
        ends = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: "epoll_create1")
    }

    deinit {
        kill()
        _ = reap(Int32(0))
    }

    var endDescriptor: Int32 { ends.raw }

    /// Whether there is a process that has not been seen to end.
    var isRunning: Bool { state.withLock { $0.pidfd != nil } }

    /// How the last program ended, as waitpid(2) has it; nil: that is not known, or none has ended.
    var waitStatus: Int32? { state.withLock { $0.waitStatus } }

    /// How many processes ran on when the last program had ended by itself, and were killed.
    var leftBehind: Int { state.withLock { $0.leftBehind } }

    /// The number of the supervisor; nil: there is no process.
    var supervisor: pid_t? { state.withLock { $0.supervisor > 0 ? $0.supervisor : nil } }

    /// Starts the program; the process before it has ended and was noted.
    func launch(_ command: ChildCommand, channel kind: Channel = .socket) throws(SondeError) -> Ends {
        let input = try Self.pair("pipe2", sonde_pipe)
        let errors = try Self.pair("pipe2", sonde_pipe)
        let isSocket = kind == .socket
        let channel = try Self.pair(isSocket ? "socketpair" : "pipe2", isSocket ? sonde_socket_pair : sonde_pipe)
        let control = try Self.pair("socketpair", sonde_socket_pair)
        // Where data has a channel of its own, standard output is where errors go, and where it has none, descriptor 3 is.
        let (output, third) = isSocket ? (errors.1.raw, channel.1.raw) : (channel.1.raw, errors.1.raw)
        let given = [input.0.raw, output, errors.1.raw, third, control.1.raw]
        let group = command.limits.isEmpty ? nil : command.groups?.make(for: component, command.limits)
        let supervisor = command.spawn(given, in: group)
        guard supervisor > 0 else {
            let error = SystemCall.failure("posix_spawn \(command.supervisor)", errno)
            group?.remove()
            throw error.of(component)
        }
        let pidfd: OwnedDescriptor
        do throws(SondeError) {
            pidfd = try OwnedDescriptor(sonde_pidfd(supervisor), of: "pidfd_open")
        } catch {
            // Nothing would notice its end.
            shutdown(control.0.raw, sonde_end_of_sending)
            waitpid(supervisor, nil, 0)
            group?.remove()
            throw error.of(component)
        }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        epoll_ctl(ends.raw, EPOLL_CTL_ADD, pidfd.raw, &event)
        state.withLock {
            $0 = State(
                supervisor: supervisor, pidfd: pidfd, control: control.0, limits: command.limits, group: group)
        }
        return Ends(input: input.1, errors: errors.0, channel: channel.0)
    }

    func takeEnd() -> SondeError? { reap(Int32(WNOHANG)) }

    /// Waits until the process has ended, and not longer than `limit`; how it ended, which can still be taken.
    @discardableResult
    func waitForEnd(_ limit: Nanoseconds) -> SondeError? {
        let deadline = SystemClock().monotonicTime.advanced(by: limit)
        var descriptor = pollfd(fd: ends.raw, events: Int16(POLLIN), revents: 0)
        // In steps: where the end is taken by another thread meanwhile, the descriptor is not readable any more.
        while isRunning, poll(&descriptor, 1, Self.step) == 0 {
            guard SystemClock().monotonicTime < deadline else { return nil }
        }
        return state.withLock { state in
            state.lastEnd = report(&state) ?? state.lastEnd
            return state.lastEnd
        }
    }

    func kill() { end(.callHung) }

    /// Ends it because of what it did on its channel, which then is why it ended.
    func kill(because flaw: ChannelFlaw) { end(.faulty(flaw)) }

    /// Notes that it was asked to end: that it exits is no failure then.
    func expectEnd() {
        state.withLock { state in
            if state.verdict == nil, state.lastEnd == nil { state.verdict = .ending }
        }
    }

    /// Ends it where nothing is under way: no failure.
    func close() { end(.closed) }

    private func end(_ verdict: Verdict) {
        state.withLock { state in
            guard let control = state.control else { return }
            // What has ended by itself was not ended by the agent.
            guard state.lastEnd == nil else { return }
            switch state.verdict {
            case nil, .ending: state.verdict = verdict
            default: return
            }
            shutdown(control.raw, sonde_end_of_sending)
        }
    }

    private func reap(_ flags: Int32) -> SondeError? {
        state.withLock { state -> SondeError? in
            guard state.control != nil else { return nil }
            var status: Int32 = 0
            guard waitpid(state.supervisor, &status, flags) == state.supervisor else { return nil }
            let record = Self.record(state)
            let waitStatus = record?.end.flatMap { $0.exec_errno == 0 ? $0.wait_status : nil }
            let end = report(&state)
            state.group?.remove()
            // A program that is started at this moment has a copy of the descriptor, which would keep it in the set.
            if let pidfd = state.pidfd { epoll_ctl(ends.raw, EPOLL_CTL_DEL, pidfd.raw, nil) }
            state = State(
                lastEnd: end, waitStatus: waitStatus, leftBehind: Int(clamping: record?.end?.left ?? 0))
            return end
        }
    }

    /// How the process has ended, as its supervisor says; nil: because of `close`, or it has not.
    private func report(_ state: inout State) -> SondeError? {
        guard state.control != nil else { return nil }
        var isKilled = false
        switch state.verdict {
        case nil: break
        case .ending:
            if let end = Self.record(state)?.end, end.wait_status == 0, end.exec_errno == 0 { return nil }
        case .closed: return nil
        case .callHung: isKilled = true
        case .faulty(let flaw): return SondeError(flaw, component: component)
        }
        let record = Self.record(state)
        guard var end = record?.end else {
            state.group?.kill()
            // Before it is waited for, once; what else there is has nobody left who would end it.
            if state.orphans == nil { state.orphans = record.map { ProcessSession($0.program).end() } ?? 0 }
            return .supervisorKilled(orphans: state.orphans ?? 0, component: component)
        }
        if state.group?.hasExceededMemory == true { end.exceeded = SONDE_EXCEEDED_MEMORY.rawValue }
        return .childEnded(end, isKilled: isKilled, state.limits, component: component)
    }

    /// What the supervisor has said: the number of the program, and of its end what it knows; nil: nothing.
    ///
    /// It stays in the socket, which ends with the process.
    private static func record(_ state: State) -> (program: pid_t, end: sonde_child_end?)? {
        guard let control = state.control else { return nil }
        var record = sonde_child_record()
        let size = MemoryLayout<sonde_child_record>.size
        let count = recv(control.raw, &record, size, sonde_peek | sonde_dont_wait)
        guard count >= MemoryLayout<sonde_child_begin>.size else { return nil }
        return (record.begin.program, count == size ? record.end : nil)
    }

    private static func pair(
        _ call: String, _ body: (UnsafeMutablePointer<Int32>) -> Int32
    ) throws(SondeError) -> (OwnedDescriptor, OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        let result = ends.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map(body) ?? -1 }
        guard result == 0 else { throw SystemCall.failure(call, errno) }
        return (try OwnedDescriptor(ends[0], of: call), try OwnedDescriptor(ends[1], of: call))
    }
}
