internal import SondeDomain
internal import SondeEngine

/// The life of an instance: create, start, work, destroy, in every order that the contract allows.
enum LifeRules {
    static func works(_ subject: RuleSubject) throws(RuleEnd) {
        let instance: TestInstance
        do throws(SondeError) {
            instance = try subject.make()
            try instance.start()
            try instance.work()
            try instance.work()
        } catch {
            // What is wrong with this machine is not wrong with the plugin.
            guard error.failureClass == .programmer else { throw .skipped("it cannot work here: \(error.shown)") }
            throw .failed(error.shown)
        }
        instance.close()
        // What its other threads do is another rule.
        let breaches = instance.services.read { $0.breaches }.filter { !StopRules.isOfThreads($0) }
        if let breach = breaches.first { throw .failed(breach) }
    }

    static func createDestroy(_ subject: RuleSubject) throws(RuleEnd) {
        for _ in 0..<50 {
            try subject.expecting("create") { () throws(SondeError) in try subject.make().close() }
        }
    }

    static func startTwice(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.started()
        try subject.expecting("the second start") { () throws(SondeError) in try instance.start() }
        try subject.expecting("the work after two starts") { () throws(SondeError) in try instance.work() }
        instance.close()
    }

    static func startAfterFailure(_ subject: RuleSubject) throws(RuleEnd) {
        let instance = try subject.expecting("create") { () throws(SondeError) in try subject.make() }
        for _ in 0..<3 {
            DescriptorShortage.during { _ = try? instance.start() }
        }
        try subject.expecting("the start after one that failed") { () throws(SondeError) in try instance.start() }
        try subject.expecting("the work after a start that failed") { () throws(SondeError) in try instance.work() }
        instance.close()
    }

    static func twoInstances(_ subject: RuleSubject) throws(RuleEnd) {
        let first = try subject.started()
        let second: TestInstance
        do throws(SondeError) {
            second = try subject.make(id: "second")
            try second.start()
        } catch {
            // Two cannot have one port, or one file.
            guard error.failureClass == .programmer || error.failureClass == .transient else {
                throw .skipped("a second instance with the same options is refused: \(error.shown)")
            }
            throw .failed("the second instance: \(error.shown)")
        }
        for instance in [first, second, first] {
            try subject.expecting("one instance of two") { () throws(SondeError) in try instance.work() }
        }
        first.close()
        try subject.expecting("the second instance after the end of the first") { () throws(SondeError) in
            try second.work()
        }
        second.close()
        guard subject.descriptor.kind == .source else { return }
        let (one, two) = (first.services.commits, second.services.commits)
        guard (one == 0) == (two == 0) else {
            throw .failed("one instance made \(one) commits, the other \(two)")
        }
    }
}
