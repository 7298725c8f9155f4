internal import SondeDomain
internal import SondeEngine

/// The runners that run, those that leave, and those that wait until their predecessor has ended.
///
/// Used from the loop's thread.
final class Roster {
    private struct Member {
        let runner: any InstanceRunner
        var departure: InstanceControl.Departure?
        /// It has not begun.
        var isHeld = false
        /// It hung, and only its successor waits for it.
        var isAbandoned = false

        var isLeaving: Bool { departure != nil }
    }

    /// A change under way.
    private struct Transition {
        let mailbox: RosterMailbox
        let deadline: MonotonicInstant
        var stage = Stage.sources
    }

    private enum Stage {
        /// Removed sources end.
        case sources
        /// Then removed sinks do.
        case sinks
        /// Their calls were cancelled.
        case cancelled
        /// Those that have their own process were killed.
        case ended
    }

    // The time for a plugin to notice its cancel descriptor.
    private static let cancelGrace = Nanoseconds.seconds(1)

    private let loop: EventLoop
    private let timer = LoopTimer()
    private let clock: any Clock
    private var members: [Member]
    private var transition: Transition?

    /// A roster of runners that were not started.
    init(_ runners: [any InstanceRunner], _ loop: EventLoop, _ clock: any Clock) {
        self.loop = loop
        self.clock = clock
        members = runners.map { Member(runner: $0) }
    }

    /// All sources or all sinks, those that leave too.
    func all(_ role: InstanceRole) -> [any InstanceRunner] {
        members.map(\.runner).filter { $0.role == role }
    }

    /// Whether every thread on one side has ended.
    func hasFinished(_ role: InstanceRole) -> Bool {
        all(role).allSatisfy(\.control.isFinished)
    }

    /// Whether no configured source, or no configured sink, runs any more.
    func isDeserted(_ role: InstanceRole) -> Bool {
        members.allSatisfy { $0.isLeaving || $0.runner.role != role || $0.runner.control.isFinished }
    }

    /// Kills all that have not ended; returns whether one of them gets time to end from now on.
    func endUnfinished() -> Bool {
        endByForce(members.map(\.runner))
    }

    private func endByForce(_ runners: [any InstanceRunner]) -> Bool {
        runners.filter { !$0.control.isFinished && $0.endByForce() == .killed }.isEmpty == false
    }

    /// Watches all runners; `finished` is called when a thread has ended.
    func watch(finished: @escaping () -> Void) throws(SondeError) {
        for member in members { try watch(member.runner, finished) }
        loop.watch(timer) { [unowned self] in timeIsOver() }
    }

    /// Begins a change; throws before anything of it was done.
    func begin(
        _ change: RosterChange,
        _ mailbox: RosterMailbox,
        finished: @escaping () -> Void
    ) throws(SondeError) {
        try admit(change.newcomers, finished)
        for index in members.indices where !members[index].isLeaving && !isNewcomer(members[index], of: change) {
            members[index].departure = change.leaving[members[index].runner.id]
            members[index].isHeld = members[index].isHeld && !members[index].isLeaving
        }
        let now = clock.monotonicTime
        let transition = Transition(mailbox: mailbox, deadline: now.advanced(by: change.grace))
        self.transition = transition
        timer.arm(at: now.advanced(by: Nanoseconds(change.grace.value / 2)))
        stop(.source, by: transition.deadline)
        proceed()
    }

    /// Releases those that may begin, and ends the change when there is nothing left to wait for.
    func proceed() {
        dismissFinished()
        if transition?.stage == .sources, leaving(.source).isEmpty { stopSinks() }
        for index in members.indices where members[index].isHeld && mayBegin(members[index].runner) {
            members[index].isHeld = false
            members[index].runner.control.begin()
        }
        if leaving(.source).isEmpty, leaving(.sink).isEmpty { endTransition() }
    }

    /// The agent stops: the thread that waits for the end of the change is notified.
    func abandonTransition() {
        endTransition()
    }

    private func isNewcomer(_ member: Member, of change: RosterChange) -> Bool {
        change.newcomers.contains { $0 === member.runner }
    }

    private func admit(_ newcomers: [any InstanceRunner], _ finished: @escaping () -> Void) throws(SondeError) {
        var watched: [any InstanceRunner] = []
        do throws(SondeError) {
            for runner in newcomers {
                watched.append(runner)
                try watch(runner, finished)
            }
        } catch {
            for runner in watched { unwatch(runner) }
            throw error
        }
        members += newcomers.map { Member(runner: $0, isHeld: true) }
    }

    private func watch(_ runner: any InstanceRunner, _ finished: @escaping () -> Void) throws(SondeError) {
        let control = runner.control
        loop.watch(control.callIsLate) {
            if control.watch.report() { runner.endByForce() }
        }
        if let process = runner.process {
            try loop.watch(process.endDescriptor) {
                if let error = process.takeEnd() { control.ended.give(error) }
            }
        }
        loop.watch(control.threadEnded, finished)
    }

    private func unwatch(_ runner: any InstanceRunner) {
        loop.unwatch(runner.control.callIsLate)
        loop.unwatch(runner.control.threadEnded)
        if let process = runner.process { loop.unwatch(process.endDescriptor) }
    }

    private func leaving(_ role: InstanceRole) -> [any InstanceRunner] {
        members.filter { $0.isLeaving && !$0.isAbandoned && $0.runner.role == role }.map(\.runner)
    }

    private func stop(_ role: InstanceRole, by deadline: MonotonicInstant) {
        for member in members where member.runner.role == role && !member.isAbandoned {
            if let departure = member.departure { member.runner.stop(departure, by: deadline) }
        }
    }

    private func stopSinks() {
        guard let deadline = transition?.deadline else { return }
        transition?.stage = .sinks
        timer.arm(at: deadline)
        stop(.sink, by: deadline)
    }

    /// Whether its id is free, and no runner that leaves in this change has a port or file that it may need.
    private func mayBegin(_ runner: any InstanceRunner) -> Bool {
        !members.contains { member in
            guard member.isLeaving, member.runner.id != runner.id else { return member.isLeaving }
            return !member.isAbandoned && member.departure == .forGood && member.runner.plugin == runner.plugin
        }
    }

    private func dismissFinished() {
        for member in members where member.isLeaving && member.runner.control.isFinished {
            unwatch(member.runner)
            member.runner.join()
            if member.departure == .forGood { member.runner.membership.leave() }
        }
        members.removeAll { $0.isLeaving && $0.runner.control.isFinished }
    }

    private func timeIsOver() {
        switch transition?.stage {
        case nil: return
        case .sources:
            for runner in leaving(.source) { runner.control.cancel.cancel() }
            stopSinks()
            proceed()
        case .sinks:
            transition?.stage = .cancelled
            for runner in leaving(.source) + leaving(.sink) { runner.control.cancel.cancel() }
            timer.arm(at: clock.monotonicTime.advanced(by: Self.cancelGrace))
        case .cancelled where endByForce(leaving(.source) + leaving(.sink)):
            transition?.stage = .ended
            timer.arm(at: clock.monotonicTime.advanced(by: Self.cancelGrace))
        case .cancelled, .ended:
            for index in members.indices where members[index].isLeaving { members[index].isAbandoned = true }
            endTransition()
            // Runners that only waited for room begin without it.
            proceed()
        }
    }

    private func endTransition() {
        guard let ended = transition else { return }
        transition = nil
        timer.disarm()
        ended.mailbox.end(hanging: members.filter(\.isLeaving).map(\.runner.id))
    }
}
