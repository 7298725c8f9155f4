internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// How programs end, and what they leave behind.
enum ProgramEndRules {
    // A machine that is busy may be late; a program that does not listen is late each time.
    private static let attempts = 3
    // One that is under way when the agent says `stop`, and a last one.
    private static let lastCommits = 2

    static func ends(_ subject: ProgramSubject) throws(RuleEnd) {
        let limit = subject.kind == .sink ? ExecSink.endLimit : ExecStreamSource.timeToEnd(isExplicit: true)
        var span = Nanoseconds.zero
        for _ in 0..<attempts {
            let clock = SystemClock()
            let instance = try subject.worked()
            // A source's stream was ended with its commit, and has ended here.
            let begin = instance.services.read { $0.endedAt } ?? clock.monotonicTime
            if subject.kind == .sink { instance.close() }
            span = clock.monotonicTime.since(begin)
            instance.close()
            if span < limit { return }
        }
        throw .failed("it had to be killed \(limit.seconds) s after it was asked to end")
    }

    static func silent(_ subject: ProgramSubject) throws(RuleEnd) {
        let instance = try subject.worked()
        instance.close()
        let count = instance.services.commits - 1
        guard count <= lastCommits else { throw .failed("it committed \(count) times after it was asked to stop") }
    }

    static func leavesNothing(_ subject: ProgramSubject) throws(RuleEnd) {
        for _ in 0..<attempts {
            let (program, services) = try subject.conversation()
            var event = try subject.serve(program, until: { subject.isStreaming && services.commits > 0 })
            if subject.isStreaming {
                program.askToEnd()
                event = try subject.serve(
                    program, for: ExecStreamSource.timeToEnd(isExplicit: subject.settings.format == .sonde))
            }
            _ = program.process.end()
            guard case .ended = event else {
                throw .skipped("it does not end by itself, and is killed with all that it has started")
            }
            guard program.process.leftBehind > 0 else { return }
        }
        throw .failed("processes that it had started ran on when it had ended")
    }
}
