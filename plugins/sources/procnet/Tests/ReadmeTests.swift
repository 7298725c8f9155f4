import Foundation
import SondeDomain
import Testing

@testable import ProcNetPlugin

@Suite struct ReadmeTests {
    private func readme() throws -> String {
        let folder = URL(filePath: ProcTree.directory).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    }

    @Test func theSectionsAreTheFixedOnes() throws {
        let sections = try readme().split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        #expect(
            sections == [
                "Summary", "Requirements and privileges", "Configuration", "Metrics", "Errors and recovery",
                "Troubleshooting", "Example output",
            ]
        )
    }

    @Test func everyMetricInTheTableIsInTheCatalog() throws {
        let rows = try readme().split(separator: "\n").filter { $0.hasPrefix("| `s") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let catalog = Dictionary(uniqueKeysWithValues: ProcNetSource.descriptor.metrics.map { ($0.name, $0) })
        #expect(rows.count >= 30)
        for row in rows {
            let name = row[0].trimmingCharacters(in: ["`"])
            let metric = try #require(catalog[name], "\(name) is not in the catalog")
            #expect(row[1] == metric.kind.name, "\(name)")
            #expect(row[2] == metric.unit, "\(name)")
        }
    }

    @Test func everyNamedMetricIsInTheTable() throws {
        let text = try readme()
        for metric in NetworkMetrics.all + NamedColumn.allMetrics + [ProcNetSource.inputSkipped] {
            #expect(text.contains("| `\(metric.name)` |"), "\(metric.name)")
        }
    }

    @Test func everyErrorIsExplained() throws {
        let text = try readme()
        for error in ProcNetSource.descriptor.errors {
            #expect(text.contains("| \(error.code) |"), "\(error.code)")
        }
    }

    @Test func theSampleStandsInTheReadme() throws {
        let folder = URL(filePath: ProcTree.directory).deletingLastPathComponent()
        let sample = try String(contentsOf: folder.appending(path: "sample.yaml"), encoding: .utf8)
        #expect(try readme().contains("```yaml\n\(sample)```"))
    }
}
