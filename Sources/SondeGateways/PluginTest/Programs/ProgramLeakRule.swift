internal import SondeDomain
internal import SondeEngine

/// What a program that is kept running takes from one reading, or one batch, to the next.
enum ProgramLeakRule {
    private static let batches = 200
    private static let warmUp = 20
    private static let commits = 10
    private static let time = Nanoseconds.seconds(20)
    private static let slack = 4
    // Interpreters collect garbage now and then.
    private static let bytes: UInt64 = 4 << 20

    static func check(_ subject: ProgramSubject) throws(RuleEnd) {
        let (before, after, count) = try subject.kind == .sink ? sink(subject) : source(subject)
        guard let before, let after else { throw .failed("it ended while it was watched") }
        let what = subject.kind == .sink ? "batches" : "commits"
        if after.descriptors > before.descriptors + slack {
            throw .failed("\(after.descriptors - before.descriptors) more descriptors after \(count) \(what)")
        }
        if after.processes > before.processes + slack {
            throw .failed("\(after.processes - before.processes) more processes after \(count) \(what)")
        }
        if after.memory > before.memory + bytes {
            throw .failed("\((after.memory - before.memory) >> 10) KiB more of memory after \(count) \(what)")
        }
    }

    private static func sink(_ subject: ProgramSubject) throws(RuleEnd) -> (ProgramUsage?, ProgramUsage?, Int) {
        let instance = try subject.instances.started()
        defer { instance.close() }
        guard case .sink(let sink as ExecSink) = instance.role else { throw .skipped("it is no program") }
        var count: UInt64 = 0
        try deliver(warmUp, instance, &count, subject)
        let before = sink.supervisor.flatMap { ProgramUsage(under: $0) }
        let program = sink.supervisor
        try deliver(batches, instance, &count, subject)
        guard sink.supervisor == program else { throw .failed("it was replaced while it was watched") }
        return (before, sink.supervisor.flatMap { ProgramUsage(under: $0) }, Int(clamping: count) - warmUp)
    }

    private static func deliver(
        _ batches: Int, _ instance: TestInstance, _ count: inout UInt64, _ subject: ProgramSubject
    ) throws(RuleEnd) {
        let end = SystemClock().monotonicTime.advanced(by: time)
        for _ in 0..<batches where SystemClock().monotonicTime < end {
            count += 1
            _ = try subject.instances.expecting("batch \(count)") { () throws(SondeError) in
                try instance.deliver(TestBatches.usual(number: count))
            }
        }
    }

    private static func source(_ subject: ProgramSubject) throws(RuleEnd) -> (ProgramUsage?, ProgramUsage?, Int) {
        let (program, services) = try subject.conversation()
        try subject.serve(program, until: { services.commits > 1 })
        let first = services.commits
        let before = program.process.supervisor.flatMap { ProgramUsage(under: $0) }
        let event = try subject.serve(program, for: time, until: { services.commits >= first + commits })
        let count = services.commits - first
        if case .late = event, count < commits / 2 {
            throw .skipped("it committed no more than \(count) times in \(time.seconds) s")
        }
        let after = program.process.supervisor.flatMap { ProgramUsage(under: $0) }
        _ = program.process.end()
        return (before, after, count)
    }
}
