internal import SondeDomain
internal import SondeEngine

/// A program that is kept running and prints when it has something.
final class ExecStreamSource: SourceInstance {
    // A series that had no point for one to two of these is closed.
    private static let memory = Nanoseconds.seconds(3_600)

    let isStreaming = true
    let offersTick = false
    private let id: String
    private let program: ExecConversation
    /// What the program prints is taken only when it says so.
    private let isExplicit: Bool
    /// How long a program may take to end once it was asked to.
    private let endLimit: Nanoseconds
    private let clock = SystemClock()
    private var forgetsAt = MonotonicInstant.distantFuture

    init(
        id: String, _ settings: ExecSettings, _ programs: ChildPrograms, _ services: any SourceServices
    ) throws(SondeError) {
        self.id = id
        program = try ExecConversation(id: id, settings, programs, services)
        isExplicit = settings.format == .sonde
        endLimit = Self.timeToEnd(isExplicit: isExplicit)
    }

    /// How long a program may take to end once it was asked to, by a message or the end of its input alone.
    static func timeToEnd(isExplicit: Bool) -> Nanoseconds { .seconds(isExplicit ? 2 : 1) }

    func start() throws(SondeError) { try program.launch() }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }

    /// Takes what the program prints, until it ends or the call is cancelled.
    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        program.greet(call)
        if forgetsAt == .distantFuture { forgetsAt = clock.monotonicTime.advanced(by: Self.memory) }
        while true {
            let isOpen = program.process.isOutputOpen
            let limit = isOpen ? forgetsAt : clock.monotonicTime.advanced(by: endLimit)
            switch program.step(until: limit, cancel: call.cancelDescriptor) {
            case .output: guard try take(call) else { return try stop(call) }
            case .cancelled: return try stop(call)
            case .ended: throw try ended(call)
            case .late where !isOpen:
                _ = program.process.end()
                throw .programBroke("has closed its standard output", component: id)
            case .late:
                program.output.closeUnseen()
                forgetsAt = clock.monotonicTime.advanced(by: Self.memory)
            }
        }
    }

    func close() { _ = program.process.end() }

    /// False: the agent takes nothing more.
    private func take(_ call: CallConditions) throws(SondeError) -> Bool {
        do throws(SondeError) {
            guard try program.serve(call) else { return false }
        } catch {
            _ = program.process.end()
            program.drop()
            throw error
        }
        return isExplicit || program.flush(call)
    }

    /// Gives the program time to end by itself, and takes what it prints meanwhile.
    private func stop(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        program.askToEnd()
        let limit = clock.monotonicTime.advanced(by: endLimit)
        var isTaken = true
        while isTaken, case .output = program.step(until: limit) { isTaken = try take(call) }
        let status = program.process.end().status
        // A last line without its end is taken of a program that has ended well, and counted otherwise.
        program.finish(exitStatus: status == 0 ? 0 : nil)
        if isTaken { isTaken = try take(call) }
        if isExplicit || !isTaken { program.drop() }
        return .cancelled
    }

    private func ended(_ call: CallConditions) throws(SondeError) -> SondeError {
        let (error, status) = program.process.end()
        program.finish(exitStatus: status == 0 ? 0 : nil)
        var failure: SondeError?
        do throws(SondeError) {
            _ = try program.serve(call)
        } catch {
            failure = error
        }
        if isExplicit { program.drop() } else { _ = program.flush(call) }
        return failure ?? error ?? .programBroke("has ended", component: id)
    }
}
