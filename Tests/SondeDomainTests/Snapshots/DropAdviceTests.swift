import Foundation
import SondeDomain
import Testing

/// What is told of reasons is what the guide says, word for word.
@Suite struct DropAdviceTests {
    /// What one place of the guide says.
    private struct Entry: Hashable {
        var reasons: [String]
        var meaning: String
        var detail: String?
        var advice: String?

        init(_ reasons: [String], _ meaning: String, detail: String? = nil, advice: String? = nil) {
            (self.reasons, self.meaning, self.detail, self.advice) = (reasons, meaning, detail, advice)
        }

        init(_ known: DropAdvice) {
            self.init(known.reasons, known.meaning, detail: known.detail, advice: known.advice)
        }
    }

    private let guide: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        guide = try String(contentsOf: root.appending(path: "docs/guide/drops.md"), encoding: .utf8)
    }

    /// Without marks and line breaks.
    private func plain(_ text: some StringProtocol) -> String {
        let bare = text.replacingOccurrences(of: "*Try*: ", with: "").replacingOccurrences(of: "`", with: "")
        return bare.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func names(_ text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    private func section(_ title: String) throws -> Substring {
        let begin = try #require(guide.range(of: "## \(title)\n"))
        let rest = guide[begin.upperBound...]
        return rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }

    @Test func everySectionWithAReasonIsToldWordForWord() {
        let entries = guide.components(separatedBy: "\n## ").filter { $0.hasPrefix("`") }.map { section in
            let parts = section.components(separatedBy: "\n\n")
            let head = parts[0].split(separator: ": ", maxSplits: 1)
            let advice = parts.first { $0.hasPrefix("*Try*: ") }
            return Entry(names(head[0]), plain(head[1]), detail: plain(parts[1]), advice: advice.map { plain($0) })
        }
        #expect(entries.count >= 10)
        #expect(entries == DropAdvice.all.filter { $0.detail != nil }.map(Entry.init))
    }

    @Test func everyRowOfTheTableIsToldWordForWord() throws {
        let rows = try section("Others that come up").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let entries = rows.map { row in
            let cells = row.dropFirst().split(separator: "|")
            return Entry(names(cells[0]), plain(cells[1]), advice: plain(cells[2]))
        }
        #expect(entries.count >= 10)
        #expect(entries == DropAdvice.all.filter { $0.detail == nil && $0.advice != nil }.map(Entry.init))
    }

    @Test func whatIsNoLossIsToldWordForWordAndHasNoAdvice() throws {
        let others = Set(DropAdvice.all.filter { $0.advice != nil }.flatMap(\.reasons))
        let items = try section("What is no loss").components(separatedBy: "\n- ").dropFirst()
        let entries = items.compactMap { item -> Entry? in
            let text = item.components(separatedBy: "\n\n")[0]
            let parts = text.split(separator: ": ", maxSplits: 1)
            let reasons = names(parts[0])
            // Not of a reason but of a network; and what has its row in the table.
            guard others.isDisjoint(with: reasons), !reasons[0].contains("=") else { return nil }
            return Entry(reasons, plain(parts[1]))
        }
        #expect(entries.count >= 4)
        #expect(entries == DropAdvice.all.filter { $0.advice == nil }.map(Entry.init))
    }

    @Test(arguments: [
        ("no_socket", "nobody listens"), ("fq_band_limit", "the queue of an interface is full"),
        ("unix_disconnect", "copies, and local sockets."),
    ])
    func aReasonIsFoundByItsNameOrByHowItBegins(_ reason: String, _ meaning: String) {
        #expect(DropAdvice(on: reason)?.meaning == meaning)
    }

    @Test(arguments: ["", "…", "reason_129", "no_socke", "fq"])
    func aReasonThatNobodyKnowsHasNone(_ reason: String) {
        #expect(DropAdvice(on: reason) == nil)
    }

    /// Each of the counters beside is explained by reasons that people are told something about.
    @Test(arguments: DropCounter.allCases)
    func everyCounterHasAReasonWithAdvice(_ counter: DropCounter) {
        #expect(counter.reasons.contains { DropAdvice(on: $0)?.advice != nil })
    }
}
