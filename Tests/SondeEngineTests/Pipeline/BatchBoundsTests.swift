import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct BatchBoundsTests {
    private let now = Timestamp(seconds: 10_000)

    private func bounds(age: Nanoseconds? = nil, series: Int? = nil) -> BatchBounds {
        var settings = DeliverBatches.Settings(SinkConfiguration(id: "central", plugin: "fake"))
        settings.maxSampleAge = age
        settings.maxSeries = series
        return BatchBounds(settings)
    }

    /// A batch of points: the series' number, and the second.
    private func batch(_ points: [(series: UInt64, second: Int64)]) -> Batch {
        let ids = Set(points.map(\.series)).sorted()
        let series = ids.map {
            Series(id: SeriesID(rawValue: $0), source: "s", name: "m\($0)", kind: .gauge, unit: "")
        }
        let entries = points.enumerated().map { index, point in
            Batch.Entry(
                seriesIndex: ids.firstIndex(of: point.series) ?? 0,
                point: MetricPoint(
                    series: SeriesID(rawValue: point.series), time: Timestamp(seconds: point.second), start: nil,
                    value: .unsigned(UInt64(index))))
        }
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: UInt64(points.count)), sink: "central",
            series: series, entries: entries)
    }

    private func names(_ batch: Batch) -> [String] {
        batch.entries.map { batch.series[$0.seriesIndex].name }
    }

    @Test func withoutBoundsEverythingPasses() {
        var bounds = bounds()
        let result = bounds.apply(to: batch([(1, 0), (2, 9_999)]), at: now)
        #expect(names(result.batch) == ["m1", "m2"])
        #expect(result.losses == [])
    }

    @Test func whatIsOlderIsTakenOutWithItsSeriesAndCounted() {
        var bounds = bounds(age: .seconds(100))
        let result = bounds.apply(
            to: batch([(1, 9_000), (2, 9_899), (3, 9_900), (3, 10_050)]), at: now)
        #expect(names(result.batch) == ["m3", "m3"])
        #expect(result.batch.series.map(\.name) == ["m3"])
        #expect(result.batch.identity.text == "a/e/1-4")
        let loss = Loss(
            reason: "too_old_for_sink", component: "central", from: Timestamp(seconds: 9_000),
            to: Timestamp(seconds: 9_899), count: 2)
        #expect(result.losses == [loss])
    }

    @Test func seriesBeyondTheLimitAreCountedUntilOthersEnd() {
        var bounds = bounds(series: 2)
        #expect(names(bounds.apply(to: batch([(1, 1), (2, 1)]), at: now).batch) == ["m1", "m2"])
        let second = bounds.apply(to: batch([(1, 2), (3, 2)]), at: now)
        #expect(names(second.batch) == ["m1"])
        // A sink that is sent no ends has none in its batches.
        let ended = Series(id: SeriesID(rawValue: 2), source: "s", name: "m2", kind: .gauge, unit: "")
        bounds.release(
            endedIn: SpooledPoints([
                SpooledPoint(series: ended, time: Timestamp(seconds: 2), start: nil, value: .ended)
            ]))
        #expect(second.losses.map(\.reason) == ["sink_series_limit"])
        #expect(second.losses.map(\.count) == [1])
        #expect(names(bounds.apply(to: batch([(1, 3), (3, 3)]), at: now).batch) == ["m1", "m3"])
    }
}
