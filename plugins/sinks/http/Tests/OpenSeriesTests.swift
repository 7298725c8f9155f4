import SondeDomain
import Testing

@testable import HTTPPlugin

/// Which series are ended, and when.
@Suite struct OpenSeriesTests {
    private static let stop = Timestamp(seconds: 1_767_225_700)

    private func batch(_ points: [(id: UInt64, seconds: Int64, value: SampleValue)], last: UInt64 = 9) -> Batch {
        let series = points.map {
            Series(id: SeriesID(rawValue: $0.id), source: "s", name: "n\($0.id)", kind: .gauge, unit: "")
        }
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: last), sink: "central",
            resource: Resource(host: "h"), series: series,
            entries: points.enumerated().map { index, point in
                let time = Timestamp(seconds: 1_767_225_600 + point.seconds)
                return Batch.Entry(
                    seriesIndex: index, point: MetricPoint(series: series[index].id, time: time, value: point.value))
            })
    }

    @Test func eachSeriesThatHasNotEndedIsEndedOnce() throws {
        var series = OpenSeries()
        series.take(batch([(3, 0, .signed(1)), (1, 0, .signed(1)), (2, 0, .signed(1))]))
        series.take(batch([(1, 10, .signed(2)), (2, 10, .ended), (4, 10, .ended)], last: 20))
        let ends = try #require(series.ends(at: Self.stop))
        #expect(ends.series.map(\.name) == ["n1", "n3"])
        #expect(ends.entries.map(\.point.value) == [.ended, .ended])
        #expect(ends.entries.map(\.point.time) == [Self.stop, Self.stop])
        #expect(ends.entries.map(\.point.series.rawValue) == [1, 3])
        #expect(ends.identity == BatchIdentity(agent: "a", epoch: "e", first: 21, last: 22))
        #expect(ends.sink == "central")
        #expect(ends.resource == Resource(host: "h"))
    }

    @Test func aSeriesThatBeginsAgainIsOpenAgain() throws {
        var series = OpenSeries()
        series.take(batch([(1, 0, .ended)]))
        #expect(series.ends(at: Self.stop)?.series.isEmpty ?? true)
        series.take(batch([(1, 5, .signed(1))]))
        #expect(series.ends(at: Self.stop)?.series.count == 1)
    }

    @Test func anEndIsAMillisecondAfterAPointThatIsNotBeforeTheStop() throws {
        var series = OpenSeries()
        series.take(batch([(1, 100, .signed(1)), (2, 300, .signed(1)), (3, 99, .signed(1))]))
        series.take(batch([(2, 200, .signed(1))]))
        let ends = try #require(series.ends(at: Self.stop))
        let milliseconds = ends.entries.map { $0.point.time.nanoseconds / 1_000_000 - 1_767_225_600_000 }
        #expect(milliseconds == [100_001, 300_001, 100_000])
    }

    @Test func whatIsBeyondTheBoundIsNotEnded() {
        var series = OpenSeries(bound: 2)
        series.take(batch([(1, 0, .signed(1)), (2, 0, .signed(1)), (3, 0, .signed(1))]))
        #expect(series.ends(at: Self.stop)?.series.map(\.name) == ["n1", "n2"])
        #expect(OpenSeries().ends(at: Self.stop)?.series.isEmpty ?? true)
    }
}
