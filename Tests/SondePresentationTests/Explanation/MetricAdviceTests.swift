import Foundation
import SondePresentation
import Testing

/// What is told of metrics is what the guide says, word for word.
@Suite struct MetricAdviceTests {
    private struct Row: Hashable {
        var metrics: [String]
        var members: [String]
        var meaning: String
        var badWhen: String
    }

    /// Without marks.
    private static func plain(_ text: Substring) -> String {
        var bare = text.replacingOccurrences(of: "`", with: "")
        while let open = bare.range(of: "]("), let close = bare[open.upperBound...].firstIndex(of: ")"),
            let begin = bare[..<open.lowerBound].lastIndex(of: "[")
        {
            let text = bare[bare.index(after: begin)..<open.lowerBound]
            bare.replaceSubrange(begin...close, with: String(text))
        }
        return bare.trimmingCharacters(in: .whitespaces)
    }

    private static func names(_ text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    /// The rows of all tables that say when a metric is bad.
    private static func guide() throws -> [Row] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/guide/metrics.md"), encoding: .utf8)
        var rows: [Row] = []
        var isMeant = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                isMeant = false
                continue
            }
            if line.hasSuffix("| bad when |") { isMeant = true }
            guard isMeant, line.hasPrefix("| `") else { continue }
            let cells = line.dropFirst().dropLast().split(separator: "|")
            let first = cells[0].range(of: " with ") ?? cells[0].range(of: " by ")
            rows.append(
                Row(
                    metrics: names(cells[0][..<(first?.lowerBound ?? cells[0].endIndex)]),
                    members: first.map { names(cells[0][$0.upperBound...]) } ?? [],
                    meaning: plain(cells[1]), badWhen: plain(cells[2])))
        }
        return rows
    }

    @Test func everyRowOfTheGuideIsToldWordForWord() throws {
        let rows = try Self.guide()
        let told = MetricAdvice.all.map {
            Row(metrics: $0.metrics, members: $0.members, meaning: $0.meaning, badWhen: $0.badWhen)
        }
        #expect(rows.count >= 80)
        #expect(told.count == rows.count)
        #expect(Set(rows).symmetricDifference(told) == [])
    }

    @Test func aMemberHasWhatIsToldOfItAndOfAll() {
        let about = { MetricAdvice.about("sonde.udp.datagram.error", member: $0).map(\.members) }
        #expect(about(nil) == [["rcvbuf"], []])
        #expect(about("RCVBUF") == [["rcvbuf"], []])
        #expect(about("no_port") == [[]])
        #expect(MetricAdvice.about("acme.load").isEmpty)
    }
}
