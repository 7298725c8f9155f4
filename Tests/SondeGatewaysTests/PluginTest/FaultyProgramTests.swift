import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// Programs that break one rule each: the suite finds that one and no other.
@Suite struct FaultyProgramTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let form: String
        let name: String
        let words: String

        init(_ form: String, _ name: String, _ words: String) {
            (self.form, self.name, self.words) = (form, name, words)
        }

        /// The rule that it breaks.
        var rule: ProgramRule? { ProgramRule(rawValue: String(name.prefix { $0 != ":" })) }
        var testDescription: String { "\(form) \(name)" }
    }

    private static let faults = [
        Fault("interval", "works", "exited with status 3; it wrote: nothing works"),
        Fault("interval", "starts-again", "after it was killed: a run: SND-PLG029"),
        Fault("interval", "two-at-once", "one of two: SND-PLG029"),
        Fault("interval", "leaves-nothing", "ran on when it had ended"),
        Fault("interval", "output", "line 3 that the program printed cannot be read"),
        Fault("interval", "metric-names", "acme.read.bytes ends in 'bytes'"),
        Fault("interval", "metric-units", "the unit 'ms' of acme.delay"),
        Fault("interval", "times", "acme.late is of a time that has not been"),
        Fault("interval", "series-once", "two samples of acme.load of one time"),
        Fault("interval", "counters", "acme.readings fell from"),
        Fault("influx", "works", "exited with status 3; it wrote: nothing works"),
        Fault("influx", "output", "line 3 that the program printed cannot be read"),
        Fault("influx", "times", "acme.load is of a time that has not been"),
        Fault("influx", "series-once", "two samples of acme.load of one time"),
        Fault("prometheus", "works", "exited with status 3; it wrote: nothing works"),
        Fault("prometheus", "output", "line 6 that the program printed cannot be read"),
        Fault("prometheus", "times", "acme_load is of a time that has not been"),
        Fault("prometheus", "series-once", "two samples of acme_load of one time"),
        Fault("prometheus", "counters", "acme_readings_total fell from"),
        Fault("nagios", "works", "exited with status 4; it wrote: nothing works"),
        Fault("nagios", "output", "line 1 that the program printed cannot be read"),
        Fault("nagios", "series-once", "two samples of nagios.perfdata.ratio of one time"),
        Fault("nagios", "counters", "nagios.perfdata.count fell from"),
        Fault("stream", "ends", "it had to be killed 2.0 s after"),
        Fault("stream", "silent-after-stop", "times after it was asked to stop"),
        Fault("stream", "no-leak: descriptors", "more descriptors after 10 commits"),
        Fault("stream", "no-leak: memory", "KiB more of memory after 10 commits"),
        Fault("stream", "no-leak: processes", "more processes after 10 commits"),
        Fault("stream", "errors-typed", "without its options it ends without an error message"),
        Fault("stream", "checkpoint", "with the position that it committed"),
        Fault("stream", "newer-agent", "a message of an unknown type"),
        Fault("sink", "works", "answered a batch with a line that"),
        Fault("sink", "ends", "it had to be killed 1.0 s after"),
        Fault("sink", "newer-agent", "an unknown member in its header"),
        Fault("sink", "one-answer: early", "it answered 'ok' before"),
        Fault("sink", "one-answer: twice", "it answered again: 'ok'"),
        Fault("sink", "every-value", "what is it?"),
        Fault("sink", "hostile-labels", "exited with status 1"),
        Fault("sink", "same-batch-twice", "it was here"),
    ]

    private static func sample(_ form: String, _ fault: String, _ workshop: PluginWorkshop) throws -> ProgramSample {
        // As in the agent's program: what a program does not read must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let program = try workshop.compile("faulty_program", as: "probe", in: nil, ["-O1"])
        return try #require(ProgramSample(program, arguments: [form, fault, workshop.directory]))
    }

    private static func report(_ form: String, _ fault: String) async throws -> PluginTestReport<ProgramRule> {
        try await WaitingWork.run {
            let workshop = try PluginWorkshop()
            let more =
                switch form {
                case "interval": ""
                case "stream": ", mode: stream, format: sonde, options: { level: high }"
                case "sink": ", timeout: 2s"
                default: ", format: \(form)"
                }
            let section = form == "sink" ? "sinks" : "sources"
            let entry = "\(section): [{ id: a, plugin: exec, command: [/opt/probe]\(more) }]"
            try entry.write(toFile: workshop.path("sample.yaml"), atomically: false, encoding: .utf8)
            guard case .program(let tested) = try sample(form, fault, workshop).read(nil) else {
                return PluginTestReport(plugin: "probe", path: "", verdicts: [])
            }
            return ProgramTestSuite(tested, PluginWorkshop.programs).run()
        }
    }

    @Test(arguments: faults) func aProgramBreaksOneRule(_ fault: Fault) async throws {
        let rule = try #require(fault.rule)
        let verdicts = try await Self.report(fault.form, fault.name).verdicts
        let failed = verdicts.filter { if case .failed = $0.outcome { true } else { false } }
        #expect(failed.map(\.rule) == [rule], "\(verdicts)")
        if case .failed(let seen)? = failed.first?.outcome {
            // One read may bring several commits, of which the last are more than were waited for.
            let atLeast = seen.replacing(/after [1-9]\d+ commits/, with: "after 10 commits")
            #expect(atLeast.contains(fault.words), "\(seen)")
        }
        // What needs the broken rule is not checked; everything else is, and passes.
        for verdict in verdicts where verdict.rule != rule && verdict.outcome != .passed {
            #expect(rule == .works || verdict.rule.prerequisite == rule, "\(verdict)")
        }
    }

    @Test(arguments: ["interval", "influx", "prometheus", "nagios", "stream", "sink"])
    func withoutAFaultEveryRuleIsKept(_ form: String) async throws {
        let verdicts = try await Self.report(form, "none").verdicts
        #expect(verdicts.filter { $0.outcome != .passed } == [])
        let form = ProgramForm(
            kind: form == "sink" ? .sink : .source, isKept: ["stream", "sink"].contains(form),
            isNamed: ["interval", "stream", "sink"].contains(form), isConversing: form == "stream")
        #expect(verdicts.map(\.rule) == ProgramRule.allCases.filter { $0.applies(to: form) })
    }

    @Test func aProgramThatOthersCouldWriteIsNotRun() throws {
        let workshop = try PluginWorkshop()
        let sample = try Self.sample("interval", "none", workshop)
        chmod(workshop.path("probe"), 0o777)
        guard case .program(let tested) = sample.read(nil) else { return #expect(Bool(false)) }
        let report = ProgramTestSuite(tested, PluginWorkshop.programs).run()
        #expect(!report.isPassed)
        guard case .failed(let seen)? = report.verdicts.first?.outcome else { return #expect(Bool(false)) }
        #expect(seen.contains("every user can write to it"), "\(seen)")
        let rest = report.verdicts.dropFirst().filter { if case .skipped = $0.outcome { false } else { true } }
        #expect(rest == [])
    }

    @Test func thereIsAFaultForEveryRule() {
        let broken = Set(Self.faults.compactMap(\.rule))
        #expect(ProgramRule.allCases.filter { !broken.contains($0) } == [.program])
    }
}
