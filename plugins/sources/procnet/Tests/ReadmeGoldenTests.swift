import Foundation
import SondeDomain
import Testing

@testable import ProcNetPlugin

/// The table of metrics in the README is made from the catalog; `make golden` writes it.
@Suite struct ReadmeGoldenTests {
    private static let begin = "<!-- `make golden` writes this table from the catalog. -->\n"
    private static let end = "<!-- end of the table -->\n"

    private static var table: String {
        let rows = ProcNetSource.descriptor.metrics.sorted { $0.name < $1.name }.map { metric in
            let attributes = metric.attributes.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(metric.name)` | \(metric.kind.name) | \(metric.unit) | \(metric.level) "
                + "| \(attributes) | \(metric.meaning) |"
        }
        return (["| metric | kind | unit | level | attributes | what |", "|---|---|---|---|---|---|"] + rows)
            .joined(separator: "\n") + "\n"
    }

    @Test func theTableOfMetricsIsTheCatalog() throws {
        let path = URL(filePath: ProcTree.directory).deletingLastPathComponent().appending(path: "README.md")
        var text = try String(contentsOf: path, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end))
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            text.replaceSubrange(begin.upperBound..<end.lowerBound, with: Self.table)
            try text.write(to: path, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[begin.upperBound..<end.lowerBound] == Self.table)
    }
}
