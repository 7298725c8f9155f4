import Foundation
import FoundationXML
import SondeDomain
import SondeEngine
import SondePresentation
import Testing

@Suite struct PluginTestViewTests {
    private static let state = PluginTestState(
        PluginTestReport<PluginRule>(
            plugin: "uptime", path: "/opt/uptime.so",
            verdicts: [
                .init(.description, .passed, duration: .milliseconds(7)),
                .init(.cancel, .failed("a <call> & \"more\"\u{1}\nended late"), duration: .milliseconds(61_034)),
                .init(.busy, .skipped("it committed nothing"), duration: .milliseconds(1_000)),
            ]))

    @Test func aRuleThatIsBrokenSaysWhatWasExpectedSeenAndIsToBeDone() {
        #expect(
            PluginTestView(Self.state).text == #"""
                uptime (/opt/uptime.so)
                  pass     description
                  FAIL     cancel
                             expected  Every call ends within a second of the cancel descriptor.
                             seen      a <call> & "more"��ended late
                             to do     Wait in poll(2) with cancel_fd in the set, and never longer elsewhere.
                  skipped  busy         it committed nothing
                1 passed, 1 failed, 1 skipped

                """#)
    }

    @Test func jsonHasEveryRule() throws {
        let json = try JSONSerialization.jsonObject(with: Data(PluginTestView(Self.state).json)) as? [String: Any]
        #expect(json?["plugin"] as? String == "uptime")
        #expect(["passed", "failed", "skipped"].map { json?[$0] as? Int } == [1, 1, 1])
        let rules = try #require(json?["rules"] as? [[String: Any]])
        #expect(rules.map { $0["rule"] as? String } == ["description", "cancel", "busy"])
        #expect(rules.map { $0["result"] as? String } == ["pass", "fail", "skipped"])
        #expect(rules.map { $0["milliseconds"] as? Int } == [7, 61_034, 1_000])
        #expect(rules[1]["advice"] as? String == PluginRule.cancel.advice)
        #expect(rules[0]["seen"] == nil)
    }

    /// Nothing was shown of a plugin that could not be seen to work.
    @Test func whatWasNotSeenToWorkHasNotPassed() {
        let report = PluginTestReport<ProgramRule>(
            plugin: "probe", path: "/opt/probe",
            verdicts: [.init(.program, .passed), .init(.works, .skipped("it printed no sample"))])
        #expect(!report.isPassed)
        #expect(
            PluginTestView(PluginTestState(report)).text.hasSuffix(
                "1 passed, 0 failed, 1 skipped; nothing is shown while 'works' is not checked\n"))
        let others: [PluginTestReport<ProgramRule>.Verdict] = [.init(.works, .passed), .init(.noLeak, .skipped("…"))]
        #expect(PluginTestReport(plugin: "probe", path: "", verdicts: others).isPassed)
        #expect(!PluginTestReport<ProgramRule>(plugin: "probe", path: "", verdicts: []).isPassed)
    }

    @Test func junitIsAWellFormedDocument() throws {
        let text = JUnitView(Self.state).text
        let advice = PluginRule.cancel.advice
        #expect(
            text == #"""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites tests="3" failures="1" errors="0" skipped="1" time="62.041">
                  <testsuite name="sonde plugins test uptime" tests="3" failures="1" errors="0" skipped="1" time="62.041">
                    <testcase classname="sonde.plugin.uptime" name="description" time="0.007"/>
                    <testcase classname="sonde.plugin.uptime" name="cancel" time="61.034">
                      <failure message="a &lt;call&gt; &amp; &quot;more&quot;��ended late">expected: Every call ends within a second of the cancel descriptor.&#10;seen: a &lt;call&gt; &amp; &quot;more&quot;��ended late&#10;to do: \#(advice)</failure>
                    </testcase>
                    <testcase classname="sonde.plugin.uptime" name="busy" time="1.000">
                      <skipped message="it committed nothing"/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """#)
        let parser = XMLParser(data: Data(text.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }
}

/// docs/guide/testing-a-plugin.md has its table from the rules.
@Suite struct PluginRulePageGoldenTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/guide/testing-a-plugin.md")

    @Test func theTablesOfThePageAreWhatTheCodeSays() throws {
        let page = try String(contentsOf: Self.path, encoding: .utf8)
        var written = page
        try Self.write(
            PluginRule.allCases.map { Self.row($0, $0.kind?.rawValue ?? "both") }, after: "rules", to: &written)
        try Self.write(
            ProgramRule.allCases.map { Self.row($0, $0.scope.rawValue) }, after: "rules of programs", to: &written)
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            return try written.write(to: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(page == written, "run 'make golden' and review the difference")
    }

    private static func row(_ rule: some TestRule, _ scope: String) -> String {
        "| `\(rule.rawValue)` | \(scope) | \(rule.expectation) | \(rule.advice) |\n"
    }

    private static func write(_ rows: [String], after mark: String, to page: inout String) throws {
        let start = try #require(page.range(of: "<!-- \(mark), written by make golden -->\n"))
        let end = try #require(page.range(of: "<!-- end -->", range: start.upperBound..<page.endIndex))
        let head = "| rule | for | what is expected | what to do where it is not so |\n|---|---|---|---|\n"
        page.replaceSubrange(start.upperBound..<end.lowerBound, with: head + rows.joined())
    }
}
