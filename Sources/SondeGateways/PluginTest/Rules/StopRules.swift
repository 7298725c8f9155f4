internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// How calls and instances end.
enum StopRules {
    private static let limit = Nanoseconds.seconds(1)
    private static let attempts = 3
    private static let soon = Nanoseconds.milliseconds(100)
    /// How long an instance that was destroyed is watched, in milliseconds.
    private static let watch: Int32 = 500

    static func cancel(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        for delay in [Nanoseconds.zero, soon] {
            try check(subject, "a call", after: delay) { try? instance.call($0) }
        }
        if case .sink(let sink) = instance.role, sink.isServing {
            try check(subject, "serving", after: soon) { _ = try? sink.serve($0) }
        }
        instance.close()
    }

    /// A machine that is busy may be late; a plugin that does not look is late each time.
    private static func check(
        _ subject: RuleSubject, _ what: String, after delay: Nanoseconds, _ body: (CallConditions) -> Void
    ) throws(RuleEnd) {
        let clock = SystemClock()
        var span = Nanoseconds.zero
        for _ in 0..<attempts {
            let timer = try subject.expecting("a timer") { () throws(SondeError) in try Timer() }
            let instant = clock.monotonicTime.advanced(by: delay)
            timer.arm(at: instant)
            body(TestInstance.conditions(cancel: timer.descriptor.raw))
            withExtendedLifetime(timer) {}
            span = clock.monotonicTime.since(instant)
            if span <= limit { return }
        }
        throw .failed("\(what) ended \(tenths(span)) s after the cancel descriptor became readable")
    }

    static func silent(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        try subject.expecting("its work") { () throws(SondeError) in try instance.work() }
        // Between calls too: what is not allowed then is noted.
        poll(nil, 0, watch / 2)
        instance.close()
        let before = instance.services.events
        poll(nil, 0, watch)
        let after = instance.services.events
        if let breach = instance.services.read({ $0.breaches }).first(where: isOfThreads) { throw .failed(breach) }
        guard before == after else {
            throw .failed("the host was called \(after - before) times after destroy had returned")
        }
    }

    /// Whether a note of the host is about a call from another thread.
    static func isOfThreads(_ breach: String) -> Bool { breach.hasSuffix(InstanceHost.foreignThread) }

    private static func tenths(_ span: Nanoseconds) -> Double { (span.seconds * 10).rounded() / 10 }
}
