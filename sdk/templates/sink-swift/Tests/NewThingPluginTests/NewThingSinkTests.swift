import Foundation
import NewThingPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@Suite struct NewThingSinkTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "newthing-\(UUID().uuidString)").path

    @Test func appendsALineForEachPoint() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let harness = try PluginHarness(newThingPlugin(), options: ["path": .string(path)])
        try harness.start()
        try harness.deliver(Self.batch(.unsigned(1), .double(0.5)))
        try harness.deliver(Self.batch(.signed(-3)))
        #expect(
            try String(contentsOfFile: path, encoding: .utf8) == """
                1000000000 acme.level place=door 1
                1000000000 acme.level place=door 0.5
                1000000000 acme.level place=door -3

                """)
        #expect(harness.delivery == .complete)
    }

    @Test func namesTheOptionWhenTheFileCannotBeOpened() throws {
        let harness = try PluginHarness(newThingPlugin(), options: ["path": .string("/nowhere/points")])
        let error = #expect(throws: PluginError.self) { try harness.deliver(Self.batch(.unsigned(1))) }
        #expect(error?.code == "NEWTHING-001")
        #expect(error?.optionPath == "path")
    }

    @Test func refusesARelativePathBeforeItRuns() throws {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(newThingPlugin(), options: ["path": .string("points")])
        }
        #expect(error?.optionPath == "path")
    }

    private static func batch(_ values: SampleValue...) -> Batch {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "test", name: "acme.level", kind: .gauge, unit: "m",
            attributes: [Attribute("place", "door")])
        let entries = values.map { value in
            Batch.Entry(
                seriesIndex: 0, point: MetricPoint(series: series.id, time: Timestamp(seconds: 1), value: value))
        }
        return Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: 1, last: UInt64(values.count)),
            sink: "test", series: [series], entries: entries)
    }
}
