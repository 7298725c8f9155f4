import Testing

/// docs/spec/presentation.md names a test for each rule: they are there.
@Suite struct PresentationPageTests {
    private let page: String

    init() throws {
        page = try Repository.text("docs/spec/presentation.md")
    }

    /// `Suite/test` for each name in a text.
    private static func named(in text: String) -> [(suite: String, test: String)] {
        text.matches(of: /`([A-Z]\w*Tests)\/(\w+)`/).map { (String($0.1), String($0.2)) }
    }

    @Test func everyTestThatItNamesIsThere() throws {
        let files = Repository.files(below: "Tests", suffixes: [".swift"])
        var texts: [String: String] = [:]
        let named = Self.named(in: page)
        #expect(named.count > 40)
        for (suite, test) in named {
            if texts[suite] == nil {
                texts[suite] = try files.map { try Repository.text($0) }.first { $0.contains("struct \(suite) ") } ?? ""
            }
            #expect(texts[suite]?.contains("func \(test)(") == true, "\(suite)/\(test)")
        }
    }

    @Test func everyCaseOfThePageInABrowserIsThere() throws {
        let program = try Repository.text("Tests/Web/run.py")
        let named = page.matches(of: /`web\/(\w+)`/).map { String($0.1) }
        let cases = program.matches(of: /\ndef (\w+)\(browser, folder, findings\)/).map { String($0.1) }
        #expect(Set(named) == Set(cases))
        #expect(cases.count > 10)
    }

    @Test func everyRuleOfATableNamesATest() {
        let rules = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
        let heads = rules.filter { $0.hasSuffix("shown by |") }
        #expect(heads.count >= 6)
        // The metrics of the pages have one test for all of them.
        let shown = rules.filter {
            !$0.hasSuffix("shown by |") && !$0.contains("By/s") && !$0.contains("connections.tcp")
                && !$0.contains("dns.queries") && !$0.contains("agent.memory") && !$0.contains("| page | metrics")
        }
        for rule in shown { #expect(!Self.named(in: String(rule)).isEmpty, "\(rule)") }
    }
}
