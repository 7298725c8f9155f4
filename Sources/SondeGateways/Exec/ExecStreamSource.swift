internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// A program that is kept running and prints when it has something.
final class ExecStreamSource: SourceInstance {
    // How long a program may take to end once its standard input has ended.
    private static let farewell = Nanoseconds.seconds(1)
    // A series that had no point for one to two of these is closed.
    private static let memory = Nanoseconds.seconds(3_600)
    // Milliseconds.
    private static let pause: Int32 = 100

    let isStreaming = true
    let offersTick = false
    private let id: String
    private let settings: ExecSettings
    private let programs: ChildPrograms
    private let process: ExecProcess
    private let output: ExecCommit
    private let clock = SystemClock()
    private var splitter = LineSplitter()
    private var reader: OutputReader
    private var forgetsAt = MonotonicInstant.distantFuture

    init(
        id: String, _ settings: ExecSettings, _ programs: ChildPrograms, _ services: any SourceServices
    ) throws(SondeError) {
        (self.id, self.settings, self.programs) = (id, settings, programs)
        process = try ExecProcess(id: id) { services.log(.info, "standard error: \($0)") }
        output = ExecCommit(id: id, services)
        reader = OutputReader(settings.format)
    }

    func start() throws(SondeError) {
        try settings.checkProgram()
        try process.launch(settings.command(programs))
        (splitter, reader) = (LineSplitter(), OutputReader(settings.format))
    }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    /// Takes what the program prints, until it ends or the call is cancelled.
    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        if forgetsAt == .distantFuture { forgetsAt = clock.monotonicTime.advanced(by: Self.memory) }
        while true {
            let limit = process.isOutputOpen ? forgetsAt : clock.monotonicTime.advanced(by: Self.farewell)
            switch step(until: limit, cancel: call.cancelDescriptor) {
            case .output: guard flush(call) else { return stop() }
            case .cancelled: return stop()
            case .ended: throw ended()
            case .late where !process.isOutputOpen:
                _ = process.end()
                throw .programBroke("has closed its standard output", component: id)
            case .late:
                output.closeUnseen()
                forgetsAt = clock.monotonicTime.advanced(by: Self.memory)
            }
        }
    }

    func close() { _ = process.end() }

    private func step(until instant: MonotonicInstant, cancel: Int32 = -1) -> ExecProcess.Event {
        process.next(until: instant, cancel: cancel) { bytes in
            splitter.take(bytes) { reader.take($0) }
        }
    }

    /// False: the agent takes nothing more.
    private func flush(_ call: CallConditions) -> Bool {
        output.commit(&reader) {
            var polled = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
            return poll(&polled, 1, Self.pause) == 0
        }
    }

    /// Gives the program time to end by itself, and takes what it prints meanwhile.
    private func stop() -> CallOutcome {
        process.closeInput()
        let limit = clock.monotonicTime.advanced(by: Self.farewell)
        while case .output = step(until: limit) {}
        _ = process.end()
        _ = output.commit(&reader)
        return .cancelled
    }

    private func ended() -> SondeError {
        let (error, status) = process.end()
        if splitter.hasUnfinished {
            if status == 0 { splitter.takeUnfinished { reader.take($0) } } else { reader.takeUnended() }
        }
        _ = output.commit(&reader)
        return error ?? .programBroke("has ended", component: id)
    }
}
