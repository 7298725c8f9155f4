public import SondeDomain
public import SondeEngine

/// Holds one plugin to every rule that is for its kind, each in a process of its own.
public struct PluginTestSuite {
    private let name: String
    private let directories: [String]
    private let programs: ChildPrograms
    private let log: any EventLog

    /// A suite for the plugin of that name from these directories; `log` gets what its processes write to standard error.
    public init(plugin name: String, in directories: [String], _ programs: ChildPrograms, log: any EventLog) {
        (self.name, self.directories, self.programs, self.log) = (name, directories, programs, log)
    }

    /// The plugin as a process describes it; throws why it is none.
    public func describe() throws(SondeError) -> any LoadedPlugin {
        try ChildPlugin(named: name, in: directories, programs, log: log)
    }

    /// The report on a plugin that could not be loaded.
    public func report(refusal: SondeError) -> PluginTestReport<PluginRule> {
        let rest = PluginRule.allCases.filter { ![.description, .confinement].contains($0) && $0.kind == nil }
        return PluginTestReport(
            plugin: name, path: "",
            verdicts: [.init(.description, .failed(refusal.shown))]
                + rest.map { .init($0, .skipped(PluginRule.description.unmet)) })
    }

    /// Checks every rule with these options; nil: there is no sample, and an option is required.
    ///
    /// `progress` is called before each rule. Takes a minute or so: rules watch clocks.
    public func run(
        _ plugin: any LoadedPlugin, options: OptionValues?, rules: [PluginRule] = PluginRule.allCases,
        progress: (PluginRule) -> Void = { _ in }
    ) -> PluginTestReport<PluginRule> {
        var verdicts: [PluginTestReport<PluginRule>.Verdict] = []
        var unmet: Set<PluginRule> = []
        for rule in rules where rule.applies(to: plugin) {
            let verdict: PluginTestReport<PluginRule>.Verdict
            if let needed = rule.prerequisite(unmet: unmet) {
                verdict = .init(rule, .skipped(needed.unmet))
            } else if rule == .sample, options == nil {
                verdict = .init(rule, .skipped("there is no sample.yaml beside it and no --options"))
            } else {
                progress(rule)
                verdict = check(rule, options ?? OptionValues())
            }
            if verdict.outcome != .passed { unmet.insert(rule) }
            verdicts.append(verdict)
        }
        return PluginTestReport(plugin: plugin.descriptor.name, path: plugin.path, verdicts: verdicts)
    }

    private func check(_ rule: PluginRule, _ options: OptionValues) -> PluginTestReport<PluginRule>.Verdict {
        let clock = SystemClock()
        let begin = clock.monotonicTime
        var outcome = PluginTestReport<PluginRule>.Outcome.passed
        do throws(SondeError) {
            outcome = try ask(rule, options)
        } catch {
            outcome = .failed(error.message)
        }
        return .init(rule, outcome, duration: clock.monotonicTime.since(begin))
    }

    private func ask(
        _ rule: PluginRule, _ options: OptionValues
    ) throws(SondeError) -> PluginTestReport<PluginRule>.Outcome {
        var refusal: String?
        let session = try ChildSession(id: rule.rawValue) {
            refusal = RefusedCall(in: $1)?.text ?? refusal
            log.log($0, $1, component: rule.rawValue)
        } serve: {
            (kind, reader, _) throws(ChannelFlaw) in
            // The catalog has something to say of the file.
            guard kind == .log else { throw .malformed("sent a frame of kind \(kind.rawValue)") }
            (_, _) = (reader.number(Int32.self), reader.text())
        }
        defer { session.close() }
        try session.launch(programs.command(testing: name, rule))
        try session.request(.load, .limited(ChildSession.limit)) { writer in
            writer.append(text: name)
            writer.append(variable: UInt64(directories.count))
            for directory in directories { writer.append(text: directory) }
        }
        var (code, text) = (UInt8(0), "")
        do throws(SondeError) {
            try session.request(.create, .limited(rule.limit)) {
                $0.append(options)
            } answer: { reader in
                (code, text) = (reader.byte(), reader.text())
            }
        } catch {
            // Its process has ended before it could answer.
            guard let refusal else { throw error }
            return .failed(refusal)
        }
        switch RuleChild.Outcome(rawValue: code) {
        case .passed: return .passed
        case .skipped: return .skipped(text)
        case .failed, nil: return .failed(text)
        }
    }
}

extension TestRule {
    /// Why what needs this rule was not checked.
    var unmet: String { "the rule '\(rawValue)' did not pass" }
}
