internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// A source's program and what is said between it and the agent, from its start to its end.
///
/// Belongs to the thread that calls the instance.
final class ExecConversation {
    // Milliseconds.
    private static let pause: Int32 = 100

    let process: ExecProcess
    let output: ExecCommit
    private let id: String
    private let settings: ExecSettings
    private let programs: ChildPrograms
    private let services: any SourceServices
    private var splitter = LineSplitter()
    private var reader: OutputReader
    private var isGreeted = false

    init(
        id: String, _ settings: ExecSettings, _ programs: ChildPrograms, _ services: any SourceServices
    ) throws(SondeError) {
        (self.id, self.settings, self.programs, self.services) = (id, settings, programs, services)
        process = try ExecProcess(id: id) { services.log(.info, $0) }
        output = ExecCommit(id: id, services)
        reader = OutputReader(settings.format)
    }

    /// Starts the program, in place of the one before.
    func launch() throws(SondeError) {
        try settings.checkProgram()
        try process.launch(settings.command(programs))
        (splitter, reader, isGreeted) = (LineSplitter(), OutputReader(settings.format), false)
    }

    /// Sends the program what it should know, once, if its format has it; true: it has.
    @discardableResult
    func greet(_ call: CallConditions) -> Bool {
        guard settings.format == .sonde else { return false }
        if !isGreeted { process.write(greeting(call)) }
        isGreeted = true
        return true
    }

    /// Asks the program to end.
    func askToEnd() {
        if settings.format == .sonde { process.write(Array("{\"type\":\"stop\"}\n".utf8)) }
        process.closeInput()
    }

    /// Waits for something to happen.
    func step(until instant: MonotonicInstant, cancel: Int32 = -1) -> ExecProcess.Event {
        process.next(until: instant, cancel: cancel) { bytes in
            splitter.take(bytes) { reader.take($0) }
        }
    }

    /// Handles all that the program has said; false: the agent takes nothing more.
    func serve(_ call: CallConditions) throws(SondeError) -> Bool {
        var failure: SondeError?
        var isTaken = true
        for event in reader.takeEvents() {
            switch event {
            case .commit(let cut, let checkpoint):
                isTaken = isTaken && commit(cut, checkpoint, call)
                // A program that does not read its answers does not need them.
                if isTaken, !process.isBehind { process.write(Array("{\"type\":\"taken\"}\n".utf8)) }
            case .message(.log(let level, let text)): services.log(level, text)
            case .message(.loss(let reason, let count)): output.report(loss: reason, count)
            case .message(.failure(let reported)): failure = failure ?? reported.error(of: id, .collect)
            case .message(.commit): break
            }
        }
        if let failure { throw failure }
        return isTaken
    }

    /// Commits what was printed since the last commit.
    func flush(_ call: CallConditions) -> Bool { commit(reader.takeCut(), nil, call) }

    /// The program has ended: takes its last line and what is known only then, if it has ended well.
    func finish(exitStatus: Int32?) {
        if splitter.hasUnfinished {
            if exitStatus != nil { splitter.takeUnfinished { reader.take($0) } } else { reader.takeUnended() }
        }
        if let exitStatus { reader.finish(exitStatus: exitStatus) }
    }

    /// Forgets what was not committed, and counts it.
    func drop() {
        var cut = reader.takeCut()
        let count = UInt64(cut.points.count)
        cut.points = []
        _ = output.commit(cut) { false }
        if count > 0 { output.lose(.notCommitted, count) }
    }

    private func commit(_ cut: OutputReader.Cut, _ checkpoint: [UInt8]?, _ call: CallConditions) -> Bool {
        output.commit(cut, checkpoint: checkpoint) {
            var polled = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
            return clock.monotonicTime < call.deadline && poll(&polled, 1, Self.pause) == 0
        }
    }

    private let clock = SystemClock()

    private func greeting(_ call: CallConditions) -> [UInt8] {
        var line = ByteBuffer()
        line.append(literal: #"{"type":"options","version":1,"id":"#)
        line.append(jsonString: id)
        line.append(literal: #","interval":"#)
        line.append(jsonNumber: call.interval.seconds)
        line.append(literal: #","options":{"#)
        for (index, option) in settings.options.enumerated() {
            if index > 0 { line.append(0x2c) }
            line.append(jsonString: option.name)
            line.append(0x3a)
            line.append(jsonString: option.value)
        }
        line.append(0x7d)
        if let bytes = services.loadCheckpoint(), let text = String(validating: bytes, as: UTF8.self) {
            line.append(literal: #","checkpoint":"#)
            line.append(jsonString: text)
        }
        line.append(literal: "}\n")
        return line.bytes
    }
}
