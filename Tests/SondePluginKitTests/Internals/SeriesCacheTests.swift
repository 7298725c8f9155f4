import CSondePlugin
import SondeDomain
import Testing

@testable import SondePluginKit

@Suite struct SeriesCacheTests {
    private let patience = RecentSeries<Series>.patience

    private func record(_ id: UInt64) -> sonde_batch_series {
        var record = sonde_batch_series()
        record.struct_size = UInt32(MemoryLayout<sonde_batch_series>.size)
        record.id = id
        return record
    }

    @Test func whatNoBatchNamesForLongIsForgotten() {
        var cache = SeriesCache()
        var id: UInt64 = 1_000
        for _ in 0..<20 * patience {
            cache.beginBatch(of: 1)
            // One that stays, and ten that are there for one batch each.
            #expect(cache.series(record(1)).id == SeriesID(rawValue: 1))
            for _ in 0..<10 {
                id += 1
                _ = cache.series(record(id))
            }
        }
        #expect(cache.count <= 20 * patience + 1)
        #expect(cache.count > 10)
    }

    @Test func theMeaningOfTheMetricIsKept() {
        var cache = SeriesCache()
        cache.beginBatch(of: 1)
        "Bytes sent.".withCString { text in
            var described = record(7)
            described.meaning = sonde_string(data: text, size: 11)
            #expect(cache.series(described).meaning == "Bytes sent.")
        }
        #expect(cache.series(record(8)).meaning.isEmpty)
    }

    @Test func oneThatIsNamedNowAndThenIsKept() {
        var cache = SeriesCache()
        cache.beginBatch(of: 1)
        _ = cache.series(record(7))
        for _ in 1..<patience { cache.beginBatch(of: 1) }
        #expect(cache.count == 1)
        for _ in 0..<2 * patience { cache.beginBatch(of: 1) }
        #expect(cache.count == 0)
    }
}
