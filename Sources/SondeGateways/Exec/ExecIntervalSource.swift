internal import SondeDomain
internal import SondeEngine

/// A program that is run once per interval.
///
/// Lines that it has printed before it failed or was killed are taken, in formats where each is a whole observation. A last line
/// without its end is taken only of a program that ended well.
final class ExecIntervalSource: SourceInstance {
    let isStreaming = false
    let offersTick = false
    private let id: String
    private let settings: ExecSettings
    private let slots: RunSlots
    private let program: ExecConversation
    private let clock = SystemClock()

    init(
        id: String, _ settings: ExecSettings, _ programs: ChildPrograms, _ slots: RunSlots,
        _ services: any SourceServices
    ) throws(SondeError) {
        (self.id, self.settings, self.slots) = (id, settings, slots)
        program = try ExecConversation(id: id, settings, programs, services)
    }

    func start() throws(SondeError) {}

    /// Runs the program once; not at the stop, which must not wait for it.
    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        guard !call.isFinal else { return .cancelled }
        let began = clock.monotonicTime
        let deadline = settings.timeout.map { min(call.deadline, began.advanced(by: $0)) } ?? call.deadline
        switch slots.take(until: deadline, cancel: call.cancelDescriptor) {
        case .taken: break
        case .cancelled: return .cancelled
        case .late: throw .programWaited(component: id)
        }
        defer { slots.give() }
        try program.launch()
        if !program.greet(call) { program.process.closeInput() }
        return try run(call, until: deadline, since: began)
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func close() { _ = program.process.end() }

    private func run(
        _ call: CallConditions, until deadline: MonotonicInstant, since began: MonotonicInstant
    ) throws(SondeError) -> CallOutcome {
        var failure: SondeError?
        var event = ExecProcess.Event.output
        while case .output = event {
            event = program.step(until: deadline, cancel: call.cancelDescriptor)
            do throws(SondeError) {
                guard try program.serve(call) else {
                    event = .cancelled
                    break
                }
            } catch {
                // The program may have more to say; the first failure is the reason of the others.
                failure = failure ?? error
            }
        }
        let (error, status) = program.process.end()
        let isCancelled = if case .cancelled = event { true } else { false }
        let isLate = if case .late = event { true } else { false }
        let hasEnded = !isLate && !isCancelled
        let success = status.flatMap { hasEnded && settings.format.isSuccess($0) ? ($0 >> 8) & 0xff : nil }
        program.finish(exitStatus: success)
        do throws(SondeError) {
            _ = try program.serve(call)
        } catch {
            failure = failure ?? error
        }
        if success != nil || settings.format.isTakenUponFailure { _ = program.flush(call) } else { program.drop() }
        if isCancelled { return .cancelled }
        if let failure { throw failure }
        guard !isLate else {
            throw .programLate("had not ended", after: clock.monotonicTime.since(began), component: id)
        }
        // It could not be executed, or its supervisor was killed.
        guard let status else { throw error ?? .programBroke("has ended", component: id) }
        guard success != nil else { throw .programFailed(status, component: id) }
        program.output.closeUnseen()
        return .completed
    }
}
