internal import SondeDomain
internal import SondeEngine

/// A program that is run once per interval.
///
/// Lines that it has printed before it failed or was killed are taken: each is a whole observation. A last line without its end
/// is taken only of a program that ended well.
final class ExecIntervalSource: SourceInstance {
    let isStreaming = false
    let offersTick = false
    private let id: String
    private let settings: ExecSettings
    private let programs: ChildPrograms
    private let slots: RunSlots
    private let process: ExecProcess
    private let output: ExecCommit
    private let clock = SystemClock()

    init(
        id: String, _ settings: ExecSettings, _ programs: ChildPrograms, _ slots: RunSlots,
        _ services: any SourceServices
    ) throws(SondeError) {
        (self.id, self.settings, self.programs, self.slots) = (id, settings, programs, slots)
        process = try ExecProcess(id: id) { services.log(.info, "standard error: \($0)") }
        output = ExecCommit(id: id, services)
    }

    func start() throws(SondeError) {}

    /// Runs the program once; not at the stop, which must not wait for it.
    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        guard !call.isFinal else { return .completed }
        let began = clock.monotonicTime
        let deadline = settings.timeout.map { min(call.deadline, began.advanced(by: $0)) } ?? call.deadline
        switch slots.take(until: deadline, cancel: call.cancelDescriptor) {
        case .taken: break
        case .cancelled: return .cancelled
        case .late: throw .programWaited(component: id)
        }
        defer { slots.give() }
        try settings.checkProgram()
        try process.launch(settings.command(programs))
        process.closeInput()
        return try run(until: deadline, since: began, cancel: call.cancelDescriptor)
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func close() { _ = process.end() }

    private func run(
        until deadline: MonotonicInstant, since began: MonotonicInstant, cancel: Int32
    ) throws(SondeError) -> CallOutcome {
        var splitter = LineSplitter()
        var reader = OutputReader(settings.format)
        var event = ExecProcess.Event.output
        while case .output = event {
            event = process.next(until: deadline, cancel: cancel) { splitter.take($0) { reader.take($0) } }
        }
        let (error, status) = process.end()
        if case .cancelled = event { return .cancelled }
        let isLate = if case .late = event { true } else { false }
        let isWell = !isLate && status == 0
        if splitter.hasUnfinished {
            if isWell { splitter.takeUnfinished { reader.take($0) } } else { reader.takeUnended() }
        }
        _ = output.commit(&reader)
        guard !isLate else {
            throw .programLate("had not ended", after: clock.monotonicTime.since(began), component: id)
        }
        // It could not be executed, or its supervisor was killed.
        guard let status else { throw error ?? .programBroke("has ended", component: id) }
        guard isWell else { throw .programFailed(status, component: id) }
        output.closeUnseen()
        return .completed
    }
}
