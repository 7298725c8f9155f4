import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What a person chooses, and what follows from it.
@Suite struct DashboardChoiceTests {
    /// A dashboard with answers.
    private func bench(_ tab: DashboardTab = .overview) throws -> DashboardBench {
        var bench = DashboardBench(tab)
        try bench.settle()
        bench.pass(.milliseconds(250))
        try bench.settle()
        return bench
    }

    @Test(arguments: HistoryTier.allCases)
    func everyRangeIsAskedForByItsName(_ range: HistoryTier) throws {
        var bench = try bench()
        bench.send(.range(range))
        bench.pass(.milliseconds(250))
        try bench.settle()
        #expect(bench.state.range == range)
        bench.pass(.seconds(30))
        #expect(bench.request("history")?.members[1] == JSONValue.Member("range", .string(range.name)))
        #expect(["1h", "6h", "24h", "7d", "30d"].contains(range.name))
    }

    @Test(arguments: DashboardTab.allCases)
    func everyMetricOfAPageHasANameAndAUnitAndIsAskedFor(_ tab: DashboardTab) throws {
        for metric in tab.metrics {
            var bench = try bench(tab)
            #expect(!metric.title.isEmpty)
            #expect(!metric.unit.isEmpty)
            bench.send(.metric(metric))
            bench.pass(.seconds(30))
            let request = try #require(bench.request("history"))
            #expect(request.members.first == JSONValue.Member("metric", .string(metric.rawValue)))
            #expect(bench.state.subject?.metric == metric)
        }
    }

    @Test func aboveTheTalkersIsTheDirectionThatCarriesMore() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot(receive: 1_200))
        bench.send(.show(.talkers))
        #expect(bench.state.metric == .bandwidthReceive)
        bench.send(.show(.overview))
        bench.pass(.seconds(1))
        let transmitting = DashboardBench.snapshot(1, receive: 39)
            .replacing(#""transmit":{"current":40.0"#, with: #""transmit":{"current":901.0"#)
        try bench.answer("snapshot", transmitting)
        bench.send(.show(.talkers))
        #expect(bench.state.metric == .bandwidthTransmit)
        #expect(bench.state.subject?.member == nil)
    }

    @Test func aFloodThatHasJustEndedIsStillAboveTheTalkers() throws {
        var bench = DashboardBench()
        // 900 on average, where the other direction has 30.
        try bench.answer("snapshot", DashboardBench.snapshot(receive: 1))
        bench.send(.show(.talkers))
        #expect(bench.state.metric == .bandwidthReceive)
    }

    @Test func aMetricThatThePageDoesNotHaveIsIgnored() throws {
        var bench = try bench()
        bench.send(.metric(.agentMemory))
        #expect(bench.state.metric == .bandwidthReceive)
    }

    @Test func eachPageBeginsWithItsFirstMetricAndKeepsOneThatItHasToo() throws {
        var bench = try bench()
        bench.send(.metric(.bandwidthTransmit))
        bench.send(.show(.interfaces))
        #expect(bench.state.metric == .bandwidthTransmit)
        bench.send(.show(.dns))
        #expect(bench.state.metric == .dnsQueries)
        bench.send(.show(.overview))
        #expect(bench.state.metric == .bandwidthReceive)
        bench.send(.show(.services))
        #expect(bench.state.metric == nil)
        #expect(bench.state.subject == nil)
        bench.send(.show(.plugins))
        #expect(bench.state.metric == .agentMemory)
    }

    @Test func manyChoicesInARowAreOneRequest() throws {
        var bench = try bench()
        for range in [HistoryTier.sixHours, .day, .week] {
            bench.send(.range(range))
            bench.pass(.milliseconds(100))
            #expect(bench.request("history") == nil)
        }
        #expect(bench.state.history.loading == .idle)
        #expect(bench.state.history.value == nil)
        bench.pass(.milliseconds(150))
        #expect(bench.asked.filter { $0.name == "history" }.map { $0.members[1].value } == ["7d"])
        #expect(bench.state.history.loading == .loading)
    }

    @Test func howLongInputRestsIsGiven() throws {
        var timing = DashboardTiming()
        timing.debounce = .seconds(2)
        var bench = DashboardBench(timing: timing)
        try bench.settle()
        bench.send(.range(.day))
        bench.pass(.milliseconds(1_999))
        #expect(bench.request("history") == nil)
        bench.pass(.milliseconds(1))
        #expect(bench.request("history") != nil)
    }

    @Test func aChartKindChangesNothingButTheChart() throws {
        var bench = try bench()
        for kind in [ChartKind.area, .bar, .line] {
            bench.send(.chart(kind))
            #expect(bench.state.chart == kind)
        }
        #expect(bench.asked == [])
        #expect(bench.state.history.value?.points.isEmpty == false)
    }

    @Test func rowsAreSortedByWhatIsChosen() throws {
        var bench = try bench(.interfaces)
        let orders: [DashboardSort: [String]] = [
            .importance: ["wg0", "eth0"], .name: ["eth0", "wg0"], .current: ["eth0", "wg0"], .average: ["wg0", "eth0"],
            .peak: ["wg0", "eth0"],
        ]
        for sort in DashboardSort.allCases {
            bench.send(.sort(sort))
            #expect(bench.state.table.rows.map(\.id) == orders[sort], "\(sort)")
        }
    }

    @Test func whatIsNotKnownIsSortedLast() throws {
        var bench = try bench(.connections)
        bench.send(.sort(.average))
        let ids = ["tcp connected", "udp in_use", "tcp established", "tcp listen", "tcp time_wait"]
        #expect(bench.state.table.rows.map(\.id) == ids)
    }

    @Test func idleRowsAreHiddenUntilTheyAreAskedFor() throws {
        var bench = try bench(.interfaces)
        #expect(bench.state.table.idleCount == 1)
        bench.send(.toggleIdleRows)
        #expect(bench.state.table.rows.map(\.id) == ["wg0", "eth0", "lo"])
        #expect(bench.state.table.idleCount == 0)
    }

    @Test func aFilterIsInForceWhenTypingRestsOrAtOnce() throws {
        var bench = try bench(.interfaces)
        bench.send(.type("x"))
        #expect(bench.state.entry == nil)
        bench.send(.editFilter)
        bench.send(.type("E"))
        bench.send(.type("ET"))
        #expect(bench.state.filter == "")
        #expect(bench.state.wake == bench.now.advanced(by: .milliseconds(250)))
        bench.pass(.milliseconds(250))
        #expect(bench.state.filter == "ET")
        #expect(bench.state.table.rows.map(\.id) == ["eth0"])
        bench.send(.type("WG"))
        bench.send(.applyFilter)
        #expect(bench.state.entry == nil)
        #expect(bench.state.table.rows.map(\.id) == ["wg0"])
        bench.send(.editFilter)
        #expect(bench.state.entry == "WG")
        bench.send(.clearFilter)
        #expect(bench.state.filter == "")
        #expect(bench.state.entry == nil)
        bench.send(.editFilter)
        bench.send(.type(String(repeating: "a", count: 1_000)))
        #expect(bench.state.entry?.count == 64)
        bench.send(.applyFilter)
        bench.send(.show(.connections))
        #expect(bench.state.filter == "")
    }

    @Test func rowsArePagedAndTheSelectedOneStaysInSight() throws {
        var bench = try bench(.connections)
        bench.send(.toggleIdleRows)
        bench.send(.fit(rows: 2))
        #expect(bench.state.firstRow == 0)
        bench.send(.move(1))
        #expect(bench.state.selected == "tcp connected")
        bench.send(.move(2))
        #expect(bench.state.selected == "tcp established")
        #expect(bench.state.firstRow == 2)
        bench.send(.move(.max))
        #expect(bench.state.selected == "tcp time_wait")
        #expect(bench.state.firstRow == 4)
        bench.send(.move(.min))
        #expect(bench.state.selected == "tcp connected")
        #expect(bench.state.firstRow == 0)
        bench.send(.select(nil))
        bench.send(.move(-1))
        #expect(bench.state.selected == "tcp time_wait")
        bench.send(.fit(rows: 0))
        #expect(bench.state.pageSize == 1)
    }

    @Test func theChartIsOfTheRowThatIsSelected() throws {
        var bench = try bench(.interfaces)
        #expect(bench.state.subject?.member == nil)
        bench.send(.move(1))
        #expect(bench.state.subject == DashboardSubject(.bandwidthReceive, member: "wg0", source: "kernel", .hour))
        bench.pass(.milliseconds(250))
        let members = try #require(bench.request("history")).members
        #expect(members.contains(JSONValue.Member("member", "wg0")))
        #expect(members.contains(JSONValue.Member("source", "kernel")))
        bench.send(.metric(.bandwidthTransmit))
        #expect(bench.state.subject?.member == "wg0")
        bench.send(.select(nil))
        #expect(bench.state.subject?.member == nil)
    }

    @Test func aStateOfSocketsIsSelectedWithItsTransport() throws {
        var bench = try bench(.connections)
        #expect(bench.state.subject?.member == "connected")
        bench.send(.select("tcp listen"))
        #expect(bench.state.subject?.member == "listen")
        bench.send(.metric(.connectionsUDP))
        #expect(bench.state.subject?.member == "in_use")
    }

    @Test func aRowOfTheOverviewIsItsMetric() throws {
        var bench = try bench()
        bench.send(.move(3))
        #expect(bench.state.selected == "connections.tcp")
        #expect(bench.state.metric == .connectionsTCP)
        bench.send(.metric(.dnsQueries))
        #expect(bench.state.selected == nil)
    }

    @Test func aRowThatIsGoneHoldsTheChartNoLonger() throws {
        var bench = try bench(.interfaces)
        bench.send(.select("wg0"))
        bench.pass(.seconds(1))
        let gone = DashboardBench.snapshot(1).replacing("wg0", with: "wg1")
        try bench.answer("snapshot", gone)
        #expect(bench.state.subject?.member == nil)
        #expect(bench.request("history") != nil)
    }

    @Test func anotherSourceIsAnotherChart() throws {
        var bench = try bench()
        bench.pass(.seconds(1))
        try bench.answer("snapshot", DashboardBench.snapshot(1, source: "other"))
        #expect(bench.state.subject?.source == "other")
        #expect(bench.state.history.value?.points.count == 1)
        #expect(bench.request("history")?.members.contains(JSONValue.Member("source", "other")) == true)
    }

    @Test func helpAndTheEnd() throws {
        var bench = try bench()
        bench.send(.toggleHelp)
        #expect(bench.state.showsHelp)
        bench.send(.show(.dns))
        #expect(!bench.state.showsHelp)
        bench.send(.quit)
        #expect(bench.hasEnded)
    }

    @Test func aListWithoutDataSaysWhatItTakes() throws {
        for tab in [DashboardTab.services, .talkers] {
            let bench = try bench(tab)
            #expect(bench.state.table.rows.isEmpty)
            #expect(bench.state.table.absence.contains("the snapshots of this agent have no lists"))
        }
        #expect(DashboardBench(.talkers).state.table.absence == "waiting for the agent")
        #expect(DashboardBench(.plugins).state.table.absence == "waiting for the agent")
    }
}
