import SondeDomain
import SondePresentation
import Testing

@Suite struct PointListViewTests {
    private func batch(_ series: [Series], _ values: [SampleValue]) -> Batch {
        let entries = zip(series, values).enumerated().map { index, pair in
            Batch.Entry(
                seriesIndex: index,
                point: MetricPoint(series: pair.0.id, time: Timestamp(seconds: 1), value: pair.1)
            )
        }
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 2),
            sink: "once",
            series: series,
            entries: entries
        )
    }

    @Test func pointsStandInAlignedColumns() {
        let series = [
            Series(
                id: SeriesID(rawValue: 1),
                source: "mine",
                name: "acme.tally",
                kind: .counter,
                unit: "{event}",
                attributes: [Attribute("lane", "a"), Attribute("end", "left")]
            ),
            Series(id: SeriesID(rawValue: 2), source: "mine", name: "acme.share", kind: .gauge, unit: "1"),
        ]
        #expect(
            PointListView(batch(series, [.unsigned(.max), .double(0.5)])).text == """
                METRIC      ATTRIBUTES       VALUE                 UNIT
                acme.tally  end=left lane=a  18446744073709551615  {event}
                acme.share                   0.5                   1

                """
        )
    }

    @Test func namesCannotSteerTheTerminal() {
        let series = Series(id: SeriesID(rawValue: 1), source: "mine", name: "a\u{1b}[2J", kind: .gauge, unit: "")
        #expect(!PointListView(batch([series], [.signed(-1)])).text.contains("\u{1b}"))
    }

    @Test func nothingIsShownOfNothing() {
        #expect(PointListView(batch([], [])).text == "")
    }
}
