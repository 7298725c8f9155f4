import Foundation
import FoundationXML
import SondeDomain
import SondeEngine
import SondePresentation
import Testing

@Suite struct PluginTestViewTests {
    private static let state = PluginTestState(
        PluginTestReport(
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

    @Test func theTableOfThePageIsWhatTheCodeSays() throws {
        let page = try String(contentsOf: Self.path, encoding: .utf8)
        var written = page
        let start = try #require(written.range(of: "<!-- rules, written by make golden -->\n"))
        let end = try #require(written.range(of: "<!-- end -->", range: start.upperBound..<written.endIndex))
        let rows = PluginRule.allCases.map { rule in
            "| `\(rule.rawValue)` | \(rule.kind?.rawValue ?? "both") | \(rule.expectation) | \(rule.advice) |\n"
        }
        let head = "| rule | for | what is expected | what to do where it is not so |\n|---|---|---|---|\n"
        written.replaceSubrange(start.upperBound..<end.lowerBound, with: head + rows.joined())
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            return try written.write(to: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(page == written, "run 'make golden' and review the difference")
    }
}
