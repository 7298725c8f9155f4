internal import SondeDomain
internal import SondeEngine

/// What a plugin that is made for the sandbox does in it, from the end of `start` on, as in an agent.
///
/// A system call that is refused ends the process: the suite says which one it was.
enum ConfinementRule {
    static func check(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        guard Confinement.isPossible else {
            throw .failed("start has made a thread: a process is confined while it has one alone")
        }
        do throws(SondeError) {
            try Confinement.enter(escape: "sandbox: off")
        } catch {
            throw .skipped(error.message)
        }
        switch subject.descriptor.kind {
        case .source: try collect(instance, subject)
        case .sink: try deliver(instance, subject)
        }
        instance.close()
    }

    /// Also what it does where its host is slow; whether that is right is another rule.
    private static func collect(_ instance: TestInstance, _ subject: RuleSubject) throws(RuleEnd) {
        // One stream for each start, as in an agent, and long enough for a commit before the last.
        instance.services.answer(instance.isStreaming ? [.busy] : [.taken, .busy])
        for _ in 0..<(instance.isStreaming ? 1 : 4) {
            try working(subject) { () throws(SondeError) in try instance.work(streaming: .milliseconds(1_500)) }
        }
    }

    private static func deliver(_ instance: TestInstance, _ subject: RuleSubject) throws(RuleEnd) {
        for batch in [TestBatches.empty, TestBatches.everyValue(ends: subject.descriptor.ends), TestBatches.hostile] {
            // Whether it takes them is another rule.
            _ = try? instance.deliver(batch)
        }
        try working(subject) { () throws(SondeError) in try instance.work() }
    }

    private static func working(_ subject: RuleSubject, _ body: () throws(SondeError) -> Void) throws(RuleEnd) {
        try subject.expecting("its work in the sandbox", body)
    }
}
