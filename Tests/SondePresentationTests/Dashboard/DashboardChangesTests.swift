import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What has moved from what is usual, on the overview.
@Suite struct DashboardChangesTests {
    private func bench(_ answer: String) throws -> DashboardBench {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try bench.answer("changes", answer)
        return bench
    }

    @Test func theOverviewSaysHowManySeriesHaveMovedAndWhichMost() throws {
        let bench = try bench(DashboardBench.changes(DashboardBench.change, moved: 3))
        #expect(bench.state.table.title == "3 series have moved: connections.tcp close_wait ×420 since 03:42")
        let quiet = try self.bench(DashboardBench.changes())
        #expect(quiet.state.table.title == nil)
    }

    @Test func itsListHasBothValuesAndSinceWhen() throws {
        var bench = try bench(DashboardBench.changes(DashboardBench.change, moved: 1))
        bench.send(try #require(DashboardKeys.intent(of: .character("l"), in: bench.state)))
        let table = bench.state.table
        #expect(table.title == "compared with the same time of 6 of the 7 days before")
        #expect(table.columns == ["SERIES", "SOURCE", "USUAL", "NOW", "CHANGE", "SINCE"])
        #expect(
            table.rows.map(\.texts) == [
                ["connections.tcp close_wait", "kernel\u{fffd}[2J", "2", "840", "×420", "03:42"]
            ])
        bench.send(.move(1))
        #expect(bench.state.subject?.metric == .connectionsTCP)
        #expect(bench.state.subject?.member == "close_wait")
    }

    @Test func aboveTheTalkersIsSaidSinceWhenBandwidthHasMoved() throws {
        let bandwidth = #"""
            {"metric":"bandwidth.receive","unit":"By/s","interface":"eth0","source":"kernel","change":"higher",
             "basis":"days_before","usual":{"median":1000.0},"value":71000.0,"since":"2026-01-01T03:51:00.000Z"}
            """#
        var bench = DashboardBench(.talkers)
        try bench.answer(
            "snapshot", DashboardBench.snapshot(lists: [DashboardBench.list("talkers.addresses", rows: 2)]))
        try bench.answer("changes", DashboardBench.changes("\(DashboardBench.change),\(bandwidth)", moved: 2))
        #expect(
            bench.state.table.title == "Heaviest · wire · last 10 s · bandwidth.receive eth0 ×71 since 03:51")
        bench.send(.list("talkers.ports"))
        #expect(bench.state.table.title == nil)
    }

    @Test func whereNothingHasMovedTheListSaysSo() throws {
        var bench = try bench(DashboardBench.changes())
        bench.send(.list("changes"))
        #expect(bench.state.table.absence == "nothing has moved: all 41 series are within what is usual")
    }

    @Test func itIsAskedForOnceAMinuteOnItsPageAndForNoMoreThanADay() throws {
        var bench = try bench(DashboardBench.changes())
        bench.pass(.seconds(59))
        #expect(bench.request("changes") == nil)
        bench.pass(.seconds(1))
        #expect(bench.request("changes")?.members == [.init("range", "1h")])
        try bench.answer("changes", DashboardBench.changes())
        bench.send(.range(.week))
        #expect(bench.state.changes.value == nil)
        bench.pass(.milliseconds(250))
        #expect(bench.request("changes")?.members == [.init("range", "24h")])
        try bench.answer("changes", DashboardBench.changes())
        bench.send(.show(.dns))
        bench.pass(.seconds(120))
        #expect(bench.request("changes") == nil)
    }

    /// An agent without history, or of an older version: the network is shown all the same.
    @Test func anAgentThatKnowsNoChangesIsNoFailureOfThePage() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try bench.fail("changes", .controlRequestUnknown, "there is no request 'changes'")
        #expect(bench.state.failure == nil)
        #expect(bench.state.table.title == nil)
        bench.send(.list("changes"))
        #expect(bench.state.table.absence == "there is no request 'changes'")
        bench.pass(.seconds(60))
        #expect(bench.request("changes") != nil)
    }
}
