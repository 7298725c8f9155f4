import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct ExactBatchTests {
    @Test func manySeriesAreInOneFrame() throws {
        let label = String(repeating: "long ", count: 200)
        let series = (0..<SpoolFrameEncoder.mostDefinitions * 5 / 4 / label.utf8.count).map { index in
            Series(
                id: SeriesID(rawValue: UInt64(index)), source: "s", name: "m", kind: .gauge, unit: "",
                attributes: [Attribute("number", "\(label)\(index)")])
        }
        let entries = series.indices.map { index in
            Batch.Entry(
                seriesIndex: index,
                point: MetricPoint(series: series[index].id, time: Timestamp(seconds: 1), value: .unsigned(7)))
        }
        let identity = BatchIdentity(agent: "a", epoch: "e", first: 1, last: UInt64(entries.count))
        let batch = Batch(identity: identity, sink: "sink", series: series, entries: entries)
        let bytes = try #require(ExactBatch.encode(batch))
        let read = ExactBatch.decode(bytes, identity, sink: "sink", resource: Resource(), SeriesInterner())
        #expect(try #require(read).series.map(\.attributes) == series.map(\.attributes))
    }
}
