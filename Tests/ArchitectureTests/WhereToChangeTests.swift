import Testing

/// docs/guide/where-to-change.md against the repository; that its links lead to files, MarkdownLinksTests holds.
@Suite struct WhereToChangeTests {
    private static let rows: [Substring] = {
        let page = (try? Repository.text("docs/guide/where-to-change.md")) ?? ""
        return page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("](") }
    }()

    @Test func itHasAtLeastTwentyEntriesThatLeadSomewhere() {
        #expect(Self.rows.count >= 20)
    }

    @Test func everyTestThatItNamesIsThere() throws {
        let named = Set(Self.rows.flatMap { $0.matches(of: /`(\w+Tests)`/).map { String($0.1) } })
        let sources =
            Repository.files(below: "Tests", suffixes: ["Tests.swift"])
            + Repository.files(below: "plugins", suffixes: ["Tests.swift"])
        let known = Set(sources.compactMap { $0.split(separator: "/").last.map { String($0.dropLast(6)) } })
        #expect(named.subtracting(known).subtracting(["EndToEndTests"]) == [])
    }
}
