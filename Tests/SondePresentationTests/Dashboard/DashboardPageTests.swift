import Foundation
import SondeDomain
import SondePresentation
import Testing

/// docs/spec/presentation.md against the code.
@Suite struct DashboardPageTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/spec/presentation.md")

    @Test func theMetricsOfEachPageAreThoseOfTheCode() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        for tab in DashboardTab.allCases where !tab.metrics.isEmpty {
            let metrics = tab.metrics.map { "`\($0.rawValue)` (\($0.unit))" }.joined(separator: ", ")
            #expect(text.contains("| `\(tab.rawValue)` | \(metrics) |"), "\(tab)")
        }
    }

    @Test func everyStateRangeChartAndOrderIsInIt() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        for state in LoadingState.allCases { #expect(text.contains("| `\(state.rawValue)` |"), "\(state)") }
        for range in HistoryTier.allCases { #expect(text.contains("`\(range.name)`"), "\(range)") }
        for kind in ChartKind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
        for sort in DashboardSort.allCases { #expect(text.contains(sort.rawValue), "\(sort)") }
        for tab in DashboardTab.allCases { #expect(text.contains("`\(tab.rawValue)`"), "\(tab)") }
    }
}
