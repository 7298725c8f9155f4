import Foundation
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// Everything that the source makes of a frozen tree, one line per series.
@Suite struct ProcNetGoldenTests {
    @Test(arguments: ProcTree.fixtures)
    func aFrozenTreeGivesTheSameSeries(fixture: String) throws {
        try compare(ProcTree.started(ProcTree.fixture(fixture)), golden: fixture)
    }

    @Test func byDefaultTheHeadlineCountersAreReported() throws {
        try compare(ProcTree.started(ProcTree.fixture("linux-6.18"), counters: []), golden: "headline")
    }

    private func compare(_ harness: PluginHarness, golden: String) throws {
        try harness.collect()
        var lines: [String] = []
        for sample in try #require(harness.host.commits.last) {
            let series = try #require(
                harness.host.series.map(\.specification).first {
                    $0.name == sample.name && $0.attributes == sample.attributes
                }
            )
            let attributes = sample.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            let unit = series.unit.isEmpty ? "-" : series.unit
            lines.append("\(sample.name){\(attributes)} \(series.kind.name) \(unit) \(spelled(sample.value))")
        }
        let text = lines.sorted().joined(separator: "\n") + "\n"
        let path = "\(ProcTree.directory)/Fixtures/Golden/\(golden).txt"
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try text == String(contentsOfFile: path, encoding: .utf8))
    }

    private func spelled(_ value: SampleValue) -> String {
        switch value {
        case .unsigned(let number): String(number)
        case .signed(let number): String(number)
        case .double(let number): "\(number)"
        case .histogram: "a histogram"
        case .ended: "ended"
        }
    }
}
