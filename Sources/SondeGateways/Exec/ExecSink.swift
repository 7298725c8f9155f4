internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// A program that is kept running, gets batches on its standard input and answers each with a line.
///
/// A batch that is not answered is offered again to another program: it may get there twice, and is not lost.
final class ExecSink: SinkInstance {
    // How long a program may take to end once nothing more is said.
    static let endLimit = Nanoseconds.seconds(1)

    let preferredContent = SendContent.metrics
    private let id: String
    private let settings: ExecSettings
    private let programs: ChildPrograms
    private let process: ExecProcess
    private let timeout: Nanoseconds
    private let clock = SystemClock()
    private var encoder: any BatchEncoder
    private var splitter = LineSplitter()
    private var answers: [[UInt8]?] = []

    init(
        id: String, _ settings: ExecSettings, _ programs: ChildPrograms, _ services: any SinkServices
    ) throws(SondeError) {
        (self.id, self.settings, self.programs) = (id, settings, programs)
        process = try ExecProcess(id: id) { services.log(.info, $0) }
        timeout = settings.timeout ?? .seconds(30)
        encoder = settings.format == .influx ? InfluxLineEncoder() : JSONLineEncoder()
    }

    /// The number of its program's supervisor; nil: there is none.
    var supervisor: pid_t? { process.supervisor }

    func start() throws(SondeError) {
        try settings.checkProgram()
        try process.launch(settings.command(programs))
        (splitter, answers) = (LineSplitter(), [])
    }

    func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome {
        // What it said without being asked could be taken for the answer to this batch.
        if !process.isRunning || process.hasOutput || !answers.isEmpty { try start() }
        var lines = ByteBuffer()
        let report = encoder.encode(batch, into: &lines)
        let leftOut = UInt64(report.leftOut &+ report.documentsLeftOut)
        guard report.lines > 0 else { return .delivered(rejectedPoints: leftOut, reason: Self.leftOutReason) }
        process.write(header(batch, report.lines) + lines.bytes)
        let deadline = min(call.deadline, clock.monotonicTime.advanced(by: timeout))
        guard let answer = try answer(until: deadline, call) else { return .cancelled }
        return try outcome(answer, to: batch, of: report.lines, leftOut: leftOut)
    }

    /// Ends the standard input, and waits a moment for the program's own end.
    func close() {
        process.closeInput()
        let limit = clock.monotonicTime.advanced(by: Self.endLimit)
        while case .output = process.next(until: limit, { _ in }) {}
        _ = process.end()
    }

    private static let leftOutReason = "the format has no way to write it"

    private func header(_ batch: Batch, _ lines: Int) -> [UInt8] {
        var header = ByteBuffer()
        // A comment of the line protocol.
        if settings.format == .influx { header.append(literal: "# ") }
        header.append(literal: #"{"batch":"#)
        header.append(jsonString: batch.identity.text)
        header.append(literal: #","attempt":"#)
        header.append(decimal: Int64(batch.attempt))
        header.append(literal: #","lines":"#)
        header.append(decimal: Int64(lines))
        header.append(literal: "}\n")
        return header.bytes
    }

    /// The program's answer; nil: the call was cancelled, and the program killed in the middle of the batch.
    private func answer(until deadline: MonotonicInstant, _ call: CallConditions) throws(SondeError) -> [UInt8]? {
        let began = clock.monotonicTime
        while true {
            guard answers.count < 2 else { throw broke("answered a batch with more than one line") }
            if let answer = answers.first {
                // It cannot be about all of it, and may be about the batch before.
                guard process.isWritten else { throw broke("answered before it had read the whole batch") }
                return try single(answer)
            }
            // A program that has closed its output may be about to end.
            let isOpen = process.isOutputOpen
            let limit = isOpen ? deadline : min(deadline, clock.monotonicTime.advanced(by: Self.endLimit))
            let event = process.next(until: limit, cancel: call.cancelDescriptor) { bytes in
                splitter.take(bytes) { line in if answers.count < 2 { answers.append(line.map { Array($0) }) } }
            }
            switch event {
            case .output: continue
            case .ended: throw process.end().error ?? .programBroke("has ended", component: id)
            case .cancelled:
                _ = process.end()
                return nil
            case .late where !isOpen: throw broke("has closed its standard output")
            case .late:
                _ = process.end()
                throw .programLate(
                    "had not answered the batch", after: clock.monotonicTime.since(began), component: id)
            }
        }
    }

    private func single(_ answer: [UInt8]?) throws(SondeError) -> [UInt8] {
        guard !splitter.hasUnfinished, let answer else {
            throw broke("answered a batch with more than one line, or one that is too long")
        }
        answers = []
        return answer
    }

    private func outcome(
        _ answer: [UInt8], to batch: Batch, of lines: Int, leftOut: UInt64
    ) throws(SondeError) -> DeliveryOutcome {
        let parsed: BatchAnswer
        do throws(LineFlaw) {
            parsed = try BatchAnswer(answer, to: batch.identity.text)
        } catch {
            throw broke("answered a batch with a line that cannot be read: \(error.sentence)")
        }
        switch parsed {
        case .taken(let rejected, _) where rejected > UInt64(clamping: lines):
            throw broke("rejected more points than the batch had")
        case .taken(0, _): return .delivered(rejectedPoints: leftOut, reason: Self.leftOutReason)
        case .taken(let rejected, let reason): return .delivered(rejectedPoints: rejected + leftOut, reason: reason)
        case .failed(let failure): throw failure.error(of: id, .deliver)
        }
    }

    private func broke(_ what: String) -> SondeError {
        _ = process.end()
        return .programBroke(what, component: id)
    }
}
