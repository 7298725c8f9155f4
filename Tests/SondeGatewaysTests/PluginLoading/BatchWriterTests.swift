import CSondePlugin
import SondeDomain
import SondePluginKit
import Testing

@testable import SondeGateways

struct BatchWriterTests {
    private func batch(_ ids: Range<UInt64>) -> Batch {
        let series = ids.map {
            Series(id: SeriesID(rawValue: $0), source: "s", name: "n\($0)", kind: .gauge, unit: "")
        }
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1),
            sink: "s",
            series: series
        )
    }

    private func names(_ batch: UnsafePointer<sonde_batch>) -> [UnsafePointer<CChar>?] {
        UnsafeBufferPointer(start: batch.pointee.series, count: batch.pointee.series_count).map(\.name.data)
    }

    @Test func makesTheRecordOfASeriesOnce() {
        var writer = BatchWriter()
        let first = writer.withContractBatch(batch(1..<3), names)
        let second = writer.withContractBatch(batch(2..<4), names)
        #expect(first[1] == second[0])
        #expect(writer.known.count == 3)
    }

    @Test func writersShareTheRecordsOfSeriesThatAreTheSame() {
        let records = SharedBySeries<SeriesRecord>()
        var (one, other) = (BatchWriter(shared: records), BatchWriter(shared: records))
        let common = batch(1..<3)
        let first = one.withContractBatch(common, names)
        #expect(other.withContractBatch(common, names) == first)
        // Other series under the same numbers, as rules of a sink make them.
        let changed = batch(1..<3)
        var third = BatchWriter(shared: records)
        #expect(zip(third.withContractBatch(changed, names), first).allSatisfy { $0 != $1 })
        // A description that was not known yet.
        var fourth = BatchWriter(shared: records) { _ in "Bytes sent." }
        let described = fourth.withContractBatch(changed) { batch in
            batch.pointee.series[0].meaning.data.map { String(cString: $0) }
        }
        #expect(described == "Bytes sent.")
    }

    @Test func freesSeriesThatNoBatchNamesAnyMore() {
        var writer = BatchWriter()
        writer.withContractBatch(batch(1..<1_000)) { _ in }
        let patience = RecentSeries<SeriesRecord>.patience
        for _ in 0..<patience / 2 { writer.withContractBatch(batch(1..<2)) { _ in } }
        #expect(writer.known.count == 999)
        for _ in 0..<2 * patience { writer.withContractBatch(batch(1..<2)) { _ in } }
        #expect(writer.known.count == 1)
    }

    @Test func keepsTheSeriesOfTheCurrentBatchWhenTheBoundIsReached() {
        var writer = BatchWriter()
        for first in stride(from: 0 as UInt64, to: 3 * 65_536, by: 65_536) {
            writer.withContractBatch(batch(first..<first + 65_536)) { _ in }
        }
        let intact = writer.withContractBatch(batch(196_600..<196_700)) { batch in
            names(batch).enumerated().allSatisfy { index, name in
                name.map { String(cString: $0) } == "n\(196_600 + index)"
            }
        }
        #expect(intact)
        #expect(writer.known.count <= 2 * 65_536)
    }

    @Test func lendsABatchOfMoreSeriesThanItKeeps() {
        var writer = BatchWriter()
        let intact = writer.withContractBatch(batch(0..<70_000)) { batch in
            names(batch).enumerated().allSatisfy { index, name in name.map { String(cString: $0) } == "n\(index)" }
        }
        #expect(intact)
    }
}
