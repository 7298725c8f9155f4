import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct BatchBuilderTests {
    private func series(_ id: UInt64, _ name: String) -> Series {
        Series(id: SeriesID(rawValue: id), source: "s", name: name, kind: .gauge, unit: "1")
    }

    private func point(_ series: Series, _ value: UInt64) -> SpooledPoint {
        SpooledPoint(series: series, time: Timestamp(seconds: 1), start: nil, value: .unsigned(value))
    }

    private func contents(_ points: [SpooledPoint]) -> SpoolContents {
        SpoolContents(resource: Resource(host: "h"), last: 9, points: SpooledPoints(points))
    }

    private func builder(exclude: [String] = []) -> BatchBuilder {
        var rules = SeriesSelection.Rules()
        rules.metrics.exclude = exclude
        return BatchBuilder(sink: "central", agent: "agent", selection: rules)
    }

    @Test func eachSeriesStandsInTheTableOnce() {
        let (one, two) = (series(1, "a"), series(2, "b"))
        let batch = builder().batch(
            Stretch(first: 4, last: 7), of: "epoch",
            contents([point(one, 1), point(two, 2), point(one, 3), point(two, 4)]))
        #expect(batch.series.map(\.id.rawValue) == [1, 2])
        #expect(batch.entries.map(\.seriesIndex) == [0, 1, 0, 1])
        #expect(batch.entries.map(\.point.value) == [.unsigned(1), .unsigned(2), .unsigned(3), .unsigned(4)])
    }

    @Test func itIsIdentifiedByItsStretch() {
        let batch = builder().batch(Stretch(first: 4, last: 7), of: "epoch", contents([]))
        #expect(batch.identity.text == "agent/epoch/4-7")
        #expect(batch.sink == "central")
        #expect(batch.resource.host == "h")
        #expect(batch.attempt == 0)
    }

    @Test func whatIsFilteredOutLeavesNoSeriesBehind() {
        let (one, two) = (series(1, "keep"), series(2, "drop"))
        let batch = builder(exclude: ["dr*"]).batch(
            Stretch(first: 1, last: 3), of: "epoch",
            contents([point(two, 1), point(one, 2), point(two, 3)]))
        #expect(batch.series.map(\.name) == ["keep"])
        #expect(batch.entries.map(\.point.value) == [.unsigned(2)])
    }

    @Test func anotherOfferIsTheSameBatchWithAHigherAttempt() {
        let batch = builder().batch(Stretch(first: 1, last: 1), of: "epoch", contents([point(series(1, "a"), 1)]))
        let again = batch.offered(attempt: 1)
        #expect(again.attempt == 1)
        #expect(again.identity == batch.identity)
        #expect(again.entries.map(\.point) == batch.entries.map(\.point))
    }
}
