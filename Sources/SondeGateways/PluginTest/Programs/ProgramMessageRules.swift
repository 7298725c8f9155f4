internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// What a program makes of what it is sent.
enum ProgramMessageRules {
    private static let patience = Nanoseconds.seconds(3)
    private static let pause = Nanoseconds.milliseconds(300)
    private static let future = Array("{\"type\":\"x-later\",\"members\":[1,{\"a\":null}]}\n".utf8)

    static func errorsTyped(_ subject: ProgramSubject) throws(RuleEnd) {
        let options = subject.settings.options
        guard !options.isEmpty else { throw .skipped("the sample has no 'options' that could be wrong") }
        var trials: [[Attribute]] = [[]]
        for option in options {
            for text in ["", "\u{1}\n{}\"", String(repeating: "x", count: 5_000)] {
                trials.append(options.map { $0.name == option.name ? Attribute($0.name, text) : $0 })
            }
        }
        for trial in trials {
            var values = subject.instances.options.values
            values["options"] = .map(trial)
            do throws(SondeError) {
                let instance = try subject.instances.make(OptionValues(values))
                defer { instance.close() }
                try instance.start()
                try shortly(instance, subject)
            } catch {
                let what = trial.isEmpty ? "without its options" : "with \(trial.map(\.name)) of other values"
                guard error.code == .programReported else {
                    throw .failed("\(what) it ends without an error message: \(error.shown)")
                }
                guard error.failureClass != .programmer else {
                    throw .failed("\(what) it reports the class programmer")
                }
            }
        }
    }

    /// A reading, or as much of it as there is in a short time.
    private static func shortly(_ instance: TestInstance, _ subject: ProgramSubject) throws(SondeError) {
        let timer = try Timer()
        timer.arm(at: SystemClock().monotonicTime.advanced(by: instance.isStreaming ? pause : patience))
        try instance.call(TestInstance.conditions(cancel: timer.descriptor.raw))
        withExtendedLifetime(timer) {}
    }

    static func checkpoint(_ subject: ProgramSubject) throws(RuleEnd) {
        let first = try subject.worked(2)
        first.close()
        guard let checkpoint = first.services.read({ $0.checkpoint }) else {
            throw .skipped("it commits no position")
        }
        let second = try subject.instances.expecting("an instance") { () throws(SondeError) in
            try subject.instances.make()
        }
        second.services.restore(checkpoint)
        do throws(SondeError) {
            try second.start()
            try shortly(second, subject)
        } catch {
            throw .failed("with the position that it committed: \(error.shown)\(second.services.lastWords)")
        }
        second.close()
    }

    static func newerAgent(_ subject: ProgramSubject) throws(RuleEnd) {
        guard subject.kind == .source else { return try newerHeader(subject) }
        let (program, services) = try subject.conversation()
        program.process.write(future)
        var commits = 0
        let event = try subject.serve(
            program,
            until: {
                guard subject.isStreaming else { return false }
                if services.commits > commits { program.process.write(future) }
                commits = services.commits
                return commits > 1
            })
        let (error, status) = program.process.end()
        switch event {
        case .output: return
        case .ended where !subject.isStreaming:
            if let status, subject.settings.format.isSuccess(status) { return }
            let failure = status.map { SondeError.programFailed($0, component: ProgramSubject.id) } ?? error
            throw .failed("a message of an unknown type: \(failure?.shown ?? "")\(services.lastWords)")
        case .ended:
            throw .failed("a message of an unknown type: \(error?.shown ?? "it has ended")\(services.lastWords)")
        case .late, .cancelled:
            throw .failed("after a message of an unknown type it commits nothing more")
        }
    }

    private static func newerHeader(_ subject: ProgramSubject) throws(RuleEnd) {
        let program = try SinkProgram(subject)
        program.write(program.header(members: ",\"x_later\":{\"a\":[1]}"))
        program.write(program.lines)
        guard program.answer(within: subject.settings.timeout ?? patience) == "ok" else {
            throw .failed("a batch with an unknown member in its header is not answered with ok\(program.lastWords)")
        }
    }

    static func oneAnswer(_ subject: ProgramSubject) throws(RuleEnd) {
        let program = try SinkProgram(subject)
        program.write(program.header() + Array(program.lines.prefix(program.lines.count / 2)))
        if let answer = program.answer(within: pause) {
            throw .failed("it answered '\(answer)' before it had the whole batch")
        }
        program.write(Array(program.lines.dropFirst(program.lines.count / 2)))
        guard program.answer(within: subject.settings.timeout ?? patience) != nil else {
            throw .failed("it did not answer a batch that came in two parts\(program.lastWords)")
        }
        if let answer = program.answer(within: pause) { throw .failed("it answered again: '\(answer)'") }
    }
}

/// A sink's program by itself, and what is written to it.
private final class SinkProgram {
    private let process: ExecProcess
    private let services = TestServices()
    private var splitter = LineSplitter()
    private var answers: [String] = []
    private let isComment: Bool
    private let count: Int
    /// The lines of a batch.
    let lines: [UInt8]

    init(_ subject: ProgramSubject) throws(RuleEnd) {
        let services = services
        process = try subject.instances.expecting("a program") { () throws(SondeError) in
            let process = try ExecProcess(id: ProgramSubject.id) { services.log(.info, $0) }
            try process.launch(subject.settings.command(subject.programs))
            return process
        }
        isComment = subject.settings.format == .influx
        var encoder: any BatchEncoder = isComment ? InfluxLineEncoder() : JSONLineEncoder()
        var buffer = ByteBuffer()
        count = encoder.encode(TestBatches.usual, into: &buffer).lines
        lines = buffer.bytes
    }

    var lastWords: String { services.lastWords }

    func header(members: String = "") -> [UInt8] {
        let mark = isComment ? "# " : ""
        return Array("\(mark){\"batch\":\"agent/e/1-2\",\"attempt\":0,\"lines\":\(count)\(members)}\n".utf8)
    }

    func write(_ bytes: [UInt8]) { process.write(bytes) }

    /// The next line that it prints; nil: there is none in that time.
    func answer(within time: Nanoseconds) -> String? {
        let limit = SystemClock().monotonicTime.advanced(by: time)
        while answers.isEmpty {
            let event = process.next(until: limit) { bytes in
                splitter.take(bytes) { answers.append($0.map { String(decoding: $0, as: UTF8.self) } ?? "…") }
            }
            guard case .output = event, process.isOutputOpen else { break }
        }
        return answers.isEmpty ? nil : answers.removeFirst()
    }
}
