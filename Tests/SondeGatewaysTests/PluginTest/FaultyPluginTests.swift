import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// Plugins that break one rule each: the suite finds that one and no other.
@Suite struct FaultyPluginTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        let words: String

        init(_ name: String, _ words: String) { (self.name, self.words) = (name, words) }

        /// The rule that it breaks.
        var rule: PluginRule? { PluginRule(rawValue: String(name.prefix { $0 != ":" })) }
        var testDescription: String { name }
    }

    private static let sourceFaults = [
        Fault("description", "SND-PLG018"), Fault("description-stable", "returned different texts"),
        Fault("options-described", "the default 'deep' of the option 'depth'"),
        Fault("metric-names", "acme.read.bytes ends in 'bytes'"),
        Fault("metric-units", "the unit 'ms' of acme.delay"), Fault("errors-declared", "'acme-f2'"),
        Fault("sample", "ACME-F001: it likes no path (option 'path')"),
        Fault("options-refused", "refuses a value of 'path' and names no option"),
        Fault("works", "ACME-F001: it never works"), Fault("create-destroy", "signal 6"),
        Fault("start-twice", "the second start: ACME-F001"),
        Fault("start-after-failure", "the start after one that failed: ACME-F001"),
        Fault("two-instances", "the second instance: ACME-F001"),
        Fault("cancel", "s after the cancel descriptor became readable"),
        Fault("silent-after-stop", "the host was called 1 times after destroy"),
        Fault("errors-typed", "ACME-F999"), Fault("no-leak: memory", "more bytes of memory per life"),
        Fault("no-leak: descriptors", "more descriptors"), Fault("no-leak: threads", "more threads"),
        Fault("late-deadline", "signal 6"), Fault("older-host", "signal 11"),
        Fault("busy", "times in a second of BUSY"), Fault("stopping", "1 times more after STOPPING"),
        Fault("refused-series", "samples of series 4711"), Fault("values", "not_finite"),
        Fault("series-described", "is opened in 's' and described in '1'"),
        Fault("series-once", "two samples of acme.load of one time"), Fault("counters", "acme.readings fell from"),
    ]

    private static let sinkFaults = [
        Fault("empty-batch", "ACME-F001: there is nothing"), Fault("every-value", "what is a histogram?"),
        Fault("hostile-labels", "signal 6"), Fault("same-batch-twice", "ACME-F001: it was here"),
        Fault("unreachable", "it reports a delivery to where nothing is"),
    ]

    /// The verdicts on the fixture with this fault, of the rules that did not pass.
    private static func unkept(
        _ fault: String, _ flags: [String] = []
    ) async throws -> [PluginTestReport<PluginRule>.Verdict] {
        let report = try await WaitingWork.run { try Self.report(fault, flags) }
        let kind: PluginDescriptor.Kind = flags.contains("-DSINK") ? .sink : .source
        let expected = PluginRule.allCases.filter { rule in
            guard rule != .confinement || flags.contains("-DCONFINED") else { return false }
            return rule.kind == nil || report.path != "" && rule.kind == kind
        }
        #expect(report.verdicts.map(\.rule) == expected)
        return report.verdicts.filter { $0.outcome != .passed }
    }

    private static func report(_ fault: String, _ flags: [String]) throws -> PluginTestReport<PluginRule> {
        let workshop = try PluginWorkshop()
        try workshop.compile("faulty", as: nil, in: nil, ["-shared", "-DFAULT=\"\(fault)\""] + flags)
        let suite = PluginTestSuite(
            plugin: "faulty", in: [workshop.directory], PluginWorkshop.programs, log: workshop.log)
        do throws(SondeError) {
            let plugin = try suite.describe()
            var options = OptionValues().completed(by: plugin.descriptor.options)
            if plugin.descriptor.kind == .sink {
                options = OptionValues(["path": .string(workshop.path("output")), "depth": .integer(3)])
            }
            return suite.run(plugin, options: options)
        } catch {
            return suite.report(refusal: error)
        }
    }

    private static func expectOne(_ fault: Fault, of verdicts: [PluginTestReport<PluginRule>.Verdict]) throws {
        let rule = try #require(fault.rule)
        let failed = verdicts.filter { if case .failed = $0.outcome { true } else { false } }
        #expect(failed.map(\.rule) == [rule], "\(verdicts)")
        if case .failed(let seen)? = failed.first?.outcome { #expect(seen.contains(fault.words), "\(seen)") }
        // What needs the broken rule is not checked; everything else is, and passes.
        for verdict in verdicts where verdict.rule != rule {
            #expect([.description, .sample, .works].contains(rule), "\(verdict)")
            guard case .skipped(let reason) = verdict.outcome else { continue }
            #expect(reason.hasSuffix("did not pass"))
        }
    }

    @Test(arguments: sourceFaults) func aSourceBreaksOneRule(_ fault: Fault) async throws {
        try Self.expectOne(fault, of: try await Self.unkept(fault.name))
    }

    @Test(arguments: sinkFaults) func aSinkBreaksOneRule(_ fault: Fault) async throws {
        try Self.expectOne(fault, of: try await Self.unkept(fault.name, ["-DSINK"]))
    }

    @Test(arguments: [[], ["-DSINK"]]) func aConfinedPluginOpensAFileAfterStart(_ flags: [String]) async throws {
        let fault = Fault("confinement", "refused openat (system call ")
        try Self.expectOne(fault, of: try await Self.unkept(fault.name, ["-DCONFINED"] + flags))
    }

    @Test(arguments: [[], ["-DSINK"], ["-DCONFINED"], ["-DCONFINED", "-DSINK"]]) func withoutAFaultEveryRuleIsKept(
        _ flags: [String]
    ) async throws {
        #expect(try await Self.unkept("none", flags) == [])
    }

    @Test(arguments: ["loadavg", "append"]) func thePluginsOfTheGuideKeepEveryRule(_ name: String) throws {
        let workshop = try PluginWorkshop()
        try workshop.compile(name)
        try "path: \(workshop.path("output"))\n".write(
            toFile: workshop.path("append.sample.yaml"), atomically: false, encoding: .utf8)
        let suite = PluginTestSuite(plugin: name, in: [workshop.directory], PluginWorkshop.programs, log: workshop.log)
        let plugin = try suite.describe()
        guard case .options(let options) = PluginSample(of: plugin.descriptor).find(beside: plugin.path) else {
            Issue.record("the sample is refused")
            return
        }
        #expect(suite.run(plugin, options: options).verdicts.filter { $0.outcome != .passed } == [])
    }

    @Test func thereIsAFaultForEveryRule() {
        let broken = Set((Self.sourceFaults + Self.sinkFaults).compactMap(\.rule) + [.confinement])
        #expect(PluginRule.allCases.filter { !broken.contains($0) } == [])
    }
}
