import CLinux
import Glibc
import SondeDomain
import SondeEngine
import Synchronization

/// A source whose instance is a process of its own, `/bin/sleep`: the agent watches its pidfd, and a call hears of its end
/// because the pipe ends that it would answer through.
final class ForkedSource: SourceInstance {
    /// The process, and all that came before it.
    final class Sleeper: InstanceProcess {
        private struct State {
            var identifier: pid_t = 0
            var pidfd: Int32 = -1
            var pipe: Int32 = -1
            var starts = 0
        }

        static let ended = SondeError(
            ErrorCode("TEST-003"), stage: .collect, class: .transient, message: "the process has ended")
        // What Swift does not see: functions of newer systems.
        private static let pidfdOpen = unsafeBitCast(
            dlsym(nil, "pidfd_open"), to: (@convention(c) (pid_t, UInt32) -> Int32).self)
        private static let pipe2 = unsafeBitCast(
            dlsym(nil, "pipe2"), to: (@convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32).self)
        // Pidfds come and go; the set of them stays.
        let endDescriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        private let state = Mutex(State())

        deinit {
            kill()
            reap()
            Glibc.close(state.withLock { $0.pipe })
            Glibc.close(endDescriptor)
        }

        var starts: Int { state.withLock { $0.starts } }

        func start() throws(SondeError) {
            var ends: [Int32] = [-1, -1]
            _ = Self.pipe2(&ends, O_CLOEXEC)
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
            defer { for word in words { free(word) } }
            var child: pid_t = 0
            let result = posix_spawn(&child, "/bin/sleep", &actions, nil, &words, nil)
            Glibc.close(ends[1])
            guard result == 0 else { throw Self.ended }
            let pidfd = Self.pidfdOpen(child, 0)
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            epoll_ctl(endDescriptor, EPOLL_CTL_ADD, pidfd, &event)
            let old = state.withLock { state in
                defer { state = State(identifier: child, pidfd: pidfd, pipe: ends[0], starts: state.starts + 1) }
                return state.pipe
            }
            if old >= 0 { Glibc.close(old) }
        }

        /// Waits until the process has ended or the call is cancelled; false: the former.
        func wait(_ call: CallConditions) -> Bool {
            var descriptors = [state.withLock { $0.pipe }, call.cancelDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            while poll(&descriptors, 2, -1) < 0 {}
            return descriptors[0].revents == 0
        }

        func takeEnd() -> SondeError? { reap() ? Self.ended : nil }

        func kill() {
            // Not reaped yet, so the number is still this child's.
            state.withLock { if $0.pidfd >= 0 { _ = Glibc.kill($0.identifier, SIGKILL) } }
        }

        @discardableResult
        private func reap() -> Bool {
            state.withLock { state in
                guard state.pidfd >= 0, waitpid(state.identifier, nil, 0) == state.identifier else { return false }
                Glibc.close(state.pidfd)
                state.pidfd = -1
                return true
            }
        }
    }

    let sleeper = Sleeper()
    var process: (any InstanceProcess)? { sleeper }
    let isStreaming = false
    let offersTick = false
    /// What a call does before it waits.
    private let body: @Sendable () -> Void
    private let waits: Bool
    private let isDeaf: Bool

    /// A source; `waits`: each collection lasts until its end; `isDeaf`: it does not hear that it is cancelled.
    init(waits: Bool, isDeaf: Bool = false, body: @escaping @Sendable () -> Void) {
        self.waits = waits
        self.isDeaf = isDeaf
        self.body = body
    }

    func start() throws(SondeError) { try sleeper.start() }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        body()
        guard waits else { return .completed }
        var call = call
        if isDeaf { call.cancelDescriptor = -1 }
        guard sleeper.wait(call) else { throw Sleeper.ended }
        return .cancelled
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func close() { sleeper.kill() }
}
