internal import SondeDomain
public import SondeEngine

/// Holds one program to every rule that is for its kind, its mode and its format.
public struct ProgramTestSuite {
    private let program: TestedProgram
    private let programs: ChildPrograms

    /// A suite for a program.
    public init(_ program: TestedProgram, _ programs: ChildPrograms) {
        (self.program, self.programs) = (program, programs)
    }

    /// Checks every rule.
    ///
    /// `progress` is called before each. Takes a minute or so: rules watch clocks.
    public func run(
        rules: [ProgramRule] = ProgramRule.allCases, progress: (ProgramRule) -> Void = { _ in }
    ) -> PluginTestReport<ProgramRule> {
        var verdicts: [PluginTestReport<ProgramRule>.Verdict] = []
        var unmet: Set<ProgramRule> = []
        for rule in rules where rule.applies(to: form) {
            let verdict: PluginTestReport<ProgramRule>.Verdict
            if let needed = rule.prerequisite(unmet: unmet) {
                verdict = .init(rule, .skipped(needed.unmet))
            } else {
                progress(rule)
                verdict = check(rule)
            }
            if verdict.outcome != .passed { unmet.insert(rule) }
            verdicts.append(verdict)
        }
        return PluginTestReport(plugin: program.name, path: program.path, verdicts: verdicts)
    }

    private var form: ProgramForm {
        let mode = program.options.values.string("mode").flatMap { ExecSettings.Mode(rawValue: $0) } ?? .interval
        let format = program.options.values.string("format").flatMap { ExecFormat(rawValue: $0) } ?? .json
        return ProgramForm(
            kind: program.kind, isKept: program.kind == .sink || mode == .stream,
            isNamed: format == .json || format == .sonde, isConversing: format == .sonde)
    }

    private func check(_ rule: ProgramRule) -> PluginTestReport<ProgramRule>.Verdict {
        let clock = SystemClock()
        let begin = clock.monotonicTime
        var outcome = PluginTestReport<ProgramRule>.Outcome.passed
        do throws(RuleEnd) {
            try rule.check(try subject())
        } catch {
            switch error {
            case .failed(let seen): outcome = .failed(seen)
            case .skipped(let reason): outcome = .skipped(reason)
            }
        }
        return .init(rule, outcome, duration: clock.monotonicTime.since(begin))
    }

    private func subject() throws(RuleEnd) -> ProgramSubject {
        do throws(SondeError) {
            let descriptor = program.kind == .source ? ExecPlugin.source : ExecPlugin.sink
            return try ProgramSubject(
                ExecPlugin(descriptor, programs, AgentRunSlots()), program.options, programs)
        } catch {
            throw .failed(error.shown)
        }
    }
}
