internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The life of a program: it runs, is killed, and runs beside another.
enum ProgramLifeRules {
    /// When it is killed after it was started, in milliseconds.
    private static let deaths: [Int32] = [0, 20, 100, 300]

    static func works(_ subject: ProgramSubject) throws(RuleEnd) {
        let instance = try subject.instances.started()
        do throws(SondeError) {
            try subject.attempt(instance)
        } catch {
            // What is wrong with this machine, by its own words, is not wrong with the program.
            guard error.code == .programReported, error.failureClass != .programmer else {
                throw .failed(error.shown + instance.services.lastWords)
            }
            throw .skipped("it cannot work here: \(error.shown)")
        }
        instance.close()
        guard subject.kind == .source, !instance.services.hasSample else { return }
        if let trouble = instance.services.read({ $0.troubles.first }) { throw .failed(trouble.shown) }
        throw .skipped("it printed no sample: give options with which it has something to report")
    }

    static func startsAgain(_ subject: ProgramSubject) throws(RuleEnd) {
        for delay in deaths {
            let victim = try subject.instances.started()
            if subject.isStreaming {
                poll(nil, 0, delay)
                victim.close()
            } else {
                try end(victim, after: delay, subject)
            }
            do throws(RuleEnd) {
                let instance = try subject.worked()
                instance.close()
                guard subject.kind == .sink || instance.services.hasSample else {
                    throw .failed("it printed no sample")
                }
            } catch {
                guard case .failed(let seen) = error else { throw error }
                throw .failed("after it was killed: \(seen)")
            }
        }
    }

    /// A call that is cancelled kills the program in the middle of what it does.
    private static func end(_ instance: TestInstance, after delay: Int32, _ subject: ProgramSubject) throws(RuleEnd) {
        let timer = try subject.instances.expecting("a timer") { () throws(SondeError) in try Timer() }
        timer.arm(at: SystemClock().monotonicTime.advanced(by: .milliseconds(Int64(delay))))
        try? instance.call(TestInstance.conditions(cancel: timer.descriptor.raw))
        withExtendedLifetime(timer) {}
        instance.close()
    }

    static func twoAtOnce(_ subject: ProgramSubject) throws(RuleEnd) {
        if subject.kind == .source, subject.settings.mode == .interval { return try twoRuns(subject) }
        let first = try subject.instances.started()
        let second = try subject.instances.started()
        try subject.work(first)
        // A source's program has ended with its stream.
        try subject.work(second)
        first.close()
        second.close()
        guard subject.kind == .source else { return }
        guard second.services.hasSample == first.services.hasSample else {
            throw .failed("one of two printed samples, the other none")
        }
    }

    private static func twoRuns(_ subject: ProgramSubject) throws(RuleEnd) {
        let runs = [try subject.conversation(), try subject.conversation()]
        for (program, services) in runs {
            try subject.serve(program)
            let (error, status) = program.process.end()
            guard let status else { throw .failed("one of two: \(error?.shown ?? "it has not ended")") }
            guard subject.settings.format.isSuccess(status) else {
                let failure = SondeError.programFailed(status, component: ProgramSubject.id)
                throw .failed("one of two: \(failure.shown)\(services.lastWords)")
            }
        }
    }
}
