internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// A program under test: its options, and what instances of it are made with.
///
/// Rules ask the instances of the source and the sink `exec`, as the engine does, and the program itself where they have to say
/// what those would not.
final class ProgramSubject {
    /// How long a program that is kept running may take to print something.
    static let patience = Nanoseconds.seconds(15)
    static let id = "test"

    let settings: ExecSettings
    let programs: ChildPrograms
    /// Instances of it, as rules of objects have them.
    let instances: RuleSubject

    var kind: PluginDescriptor.Kind { instances.descriptor.kind }
    var isStreaming: Bool { kind == .source && settings.mode == .stream }

    /// Throws why the agent would not run it.
    init(_ plugin: ExecPlugin, _ options: OptionValues, _ programs: ChildPrograms) throws(SondeError) {
        settings = try ExecSettings(options)
        self.programs = programs
        instances = RuleSubject(plugin, options)
    }

    /// Makes and starts an instance and has it read or deliver something.
    func worked(_ readings: Int = 1) throws(RuleEnd) -> TestInstance {
        let instance = try instances.started()
        try work(instance, readings)
        return instance
    }

    /// Has an instance that was started commit so often, or deliver so many batches.
    func work(
        _ instance: TestInstance, _ readings: Int = 1, patience: Nanoseconds = patience
    ) throws(RuleEnd) {
        try instances.expecting(instance.isStreaming ? "its stream" : "a run") { () throws(SondeError) in
            try attempt(instance, readings, patience: patience)
        }
    }

    /// The same; throws why it failed.
    func attempt(
        _ instance: TestInstance, _ readings: Int = 1, patience: Nanoseconds = patience
    ) throws(SondeError) {
        guard instance.isStreaming else {
            for _ in 0..<readings { try instance.work() }
            return
        }
        let signal = try CancelSignal()
        instance.services.end(signal, afterCommits: readings)
        let limit = Int32(clamping: patience.value / 1_000_000)
        let end = try PluginThread(name: "end") {
            var descriptor = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, limit) == 0 { signal.cancel() }
        }
        defer {
            signal.cancel()
            end.join()
        }
        try instance.call(TestInstance.conditions(cancel: signal.descriptor))
    }

    /// A program by itself, with the engine that hears of it.
    func conversation() throws(RuleEnd) -> (program: ExecConversation, services: TestServices) {
        let services = TestServices()
        let program = try instances.expecting("a program") { () throws(SondeError) in
            let program = try ExecConversation(id: Self.id, settings, programs, services)
            try program.launch()
            if !program.greet(TestInstance.conditions(cancel: -1)), settings.mode == .interval {
                program.process.closeInput()
            }
            return program
        }
        return (program, services)
    }

    /// Serves a program until it has ended, the time is up, or something is so; what it ended with.
    @discardableResult
    func serve(
        _ program: ExecConversation, for time: Nanoseconds = patience, until isDone: () -> Bool = { false }
    ) throws(RuleEnd) -> ExecProcess.Event {
        let limit = SystemClock().monotonicTime.advanced(by: time)
        let call = TestInstance.conditions(cancel: -1)
        while !isDone() {
            let event = program.step(until: limit)
            guard case .output = event else { return event }
            try instances.expecting("what it printed") { () throws(SondeError) in
                _ = try program.serve(call)
                if settings.format != .sonde, settings.mode == .stream { _ = program.flush(call) }
            }
        }
        return .output
    }
}

extension TestServices {
    /// Whether it was given a sample.
    var hasSample: Bool { read { $0.commits.contains { !$0.samples.isEmpty } } }

    /// What the program wrote last to its standard error, as the end of a sentence.
    var lastWords: String {
        let prefix = "standard error: "
        guard let line = read({ $0.lines.last { $0.hasPrefix(prefix) } }) else { return "" }
        return "; it wrote: \(line.dropFirst(prefix.count))"
    }
}
