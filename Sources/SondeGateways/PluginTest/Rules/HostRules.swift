internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// A host that is not as a plugin would like it.
enum HostRules {
    /// As often as a commit may be tried in a second of BUSY: ten times would be right.
    private static let attempts = 50

    static func lateDeadline(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        let clock = SystemClock()
        for late in [Nanoseconds.zero, .seconds(-1), .seconds(-100_000)] {
            let begin = clock.monotonicTime
            try call(instance, subject, cancelAfter: TestInstance.streaming, limit: late)
            let span = clock.monotonicTime.since(begin)
            guard span < .seconds(5) else { throw .failed("the call took \(span.seconds) s") }
        }
        instance.close()
    }

    static func busy(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        instance.services.answer(Array(repeating: .busy, count: 10_000))
        try call(instance, subject, cancelAfter: .seconds(1))
        let commits = instance.services.commits
        guard commits > 0 else { throw .skipped("it committed nothing") }
        guard commits <= attempts else { throw .failed("it committed \(commits) times in a second of BUSY") }
        instance.services.answer([])
        try subject.expecting("its work after BUSY") { () throws(SondeError) in try instance.work() }
        guard instance.services.commits > commits else { throw .failed("it commits nothing more after BUSY") }
        instance.close()
    }

    static func stopping(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        let signal = try subject.expecting("a descriptor") { () throws(SondeError) in try CancelSignal() }
        instance.services.stop(signal)
        // What commits nothing would stream for ever.
        let end = try subject.expecting("a thread") { () throws(SondeError) in
            try PluginThread(name: "end") {
                var descriptor = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&descriptor, 1, 3_000) == 0 { signal.cancel() }
            }
        }
        try call(instance, subject, cancel: signal.descriptor)
        end.join()
        let commits = instance.services.commits
        guard commits > 0 else { throw .skipped("it committed nothing") }
        guard commits == 1 else { throw .failed("it committed \(commits - 1) times more after STOPPING") }
        instance.close()
    }

    static func refusedSeries(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.expecting("create") { () throws(SondeError) in try subject.make() }
        instance.services.refuseSeries()
        do throws(SondeError) {
            try instance.start()
        } catch {
            if let flaw = ErrorRules.flaw(of: error, subject.descriptor) { throw .failed(flaw) }
            return
        }
        for _ in 0..<2 { try call(instance, subject, cancelAfter: .milliseconds(1_200)) }
        instance.close()
        let strangers = instance.services.read { state in
            state.commits.flatMap { $0.samples.map(\.series) + $0.rejections.map(\.series) }.filter { $0 != 0 }
        }
        // Samples of the handle 0 are left out and counted: that is what it is for.
        guard let handle = strangers.first else { return }
        throw .failed("every series was refused, and it committed \(strangers.count) samples of series \(handle)")
    }

    /// One call, which may fail with an error that is typed.
    private static func call(
        _ instance: TestInstance, _ subject: RuleSubject, cancelAfter delay: Nanoseconds,
        limit: Nanoseconds = .seconds(10)
    ) throws(RuleEnd) {
        let timer = try subject.expecting("a timer") { () throws(SondeError) in try Timer() }
        timer.arm(at: SystemClock().monotonicTime.advanced(by: delay))
        try call(instance, subject, cancel: timer.descriptor.raw, limit: limit)
        withExtendedLifetime(timer) {}
    }

    private static func call(
        _ instance: TestInstance, _ subject: RuleSubject, cancel: Int32, limit: Nanoseconds = .seconds(10)
    ) throws(RuleEnd) {
        do throws(SondeError) {
            try instance.call(TestInstance.conditions(cancel: cancel, limit: limit))
        } catch {
            if let flaw = ErrorRules.flaw(of: error, subject.descriptor) { throw .failed(flaw) }
        }
    }
}
