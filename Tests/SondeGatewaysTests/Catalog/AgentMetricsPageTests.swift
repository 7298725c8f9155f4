import Foundation
import SondeDomain
import SondeEngine
import Testing

/// docs/guide/agent-metrics.md has every metric of the agent, as the catalog defines it.
@Suite struct AgentMetricsPageTests {
    @Test func thePageHasTheCatalogAndNothingElse() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/guide/agent-metrics.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == AgentCatalog.metrics.map(Self.row))
    }

    private static func row(_ metric: MetricDefinition) -> String {
        let attributes = metric.attributes.map { "`\($0)`" }.joined(separator: ", ")
        let cells = [
            "`\(metric.name)`", metric.kind.name, metric.unit.isEmpty ? "–" : metric.unit,
            attributes.isEmpty ? "–" : attributes, metric.meaning,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
