import CSondePlugin
import SondeDomain
import Testing

@testable import SondePluginKit

@Suite struct SeriesCacheTests {
    private let patience = RecentSeries<Series>.patience

    private func record(_ id: UInt64) -> sonde_batch_series {
        var record = sonde_batch_series()
        record.struct_size = UInt32(MemoryLayout<sonde_batch_series>.size)
        (record.id, record.kind) = (id, MetricKind.gauge.rawValue)
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

    @Test func sinksShareASeriesThatIsTheSameForBoth() {
        let shared = SharedBySeries<Series>()
        var (one, other) = (SeriesCache(shared: shared), SeriesCache(shared: shared))
        "acme.sent".withContractString { name in
            var described = record(1)
            described.name = name
            #expect(one.series(described) === other.series(described))
        }
    }

    @Test func aSeriesThatAnotherSinkHasOtherwiseIsItsOwn() {
        let shared = SharedBySeries<Series>()
        var one = SeriesCache(shared: shared)
        let plain = one.series(record(1))
        for text in [\sonde_batch_series.name, \.unit, \.source_id, \.meaning] {
            "acme".withContractString { string in
                var described = record(1)
                described[keyPath: text] = string
                var other = SeriesCache(shared: shared)
                let series = other.series(described)
                #expect(series !== plain)
                #expect([series.name, series.unit, series.source, series.meaning].contains("acme"))
            }
        }
    }

    @Test func labelsTellSeriesOfSinksApart() {
        let shared = SharedBySeries<Series>()
        func series(_ name: String, _ value: String) -> Series {
            var cache = SeriesCache(shared: shared)
            return name.withContractString { name in
                value.withContractString { value in
                    var label = sonde_attribute()
                    label.struct_size = UInt32(MemoryLayout<sonde_attribute>.size)
                    (label.name, label.value) = (name, value)
                    return withUnsafePointer(to: label) { label in
                        var described = record(1)
                        (described.labels, described.label_count) = (label, 1)
                        return cache.series(described)
                    }
                }
            }
        }
        let first = series("site", "a")
        #expect(series("site", "a") === first)
        for other in [series("site", "b"), series("rack", "a")] { #expect(other !== first) }
        #expect(series("rack", "a").labels == [Attribute("rack", "a")])
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
