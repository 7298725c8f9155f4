import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What a page posts.
@Suite struct PageIntentTests {
    private func read(_ json: String) throws -> [DashboardIntent] {
        try DashboardIntent.page(try JSONReader.parse(json))
    }

    @Test func everyWordOfAPageIsAnIntent() throws {
        for tab in DashboardTab.allCases {
            #expect(try read(#"{"do":"show","value":"\#(tab.rawValue)"}"#) == [.show(tab)])
        }
        for range in HistoryTier.allCases {
            #expect(try read(#"{"do":"range","value":"\#(range.name)"}"#) == [.range(range)])
        }
        for chart in ChartKind.allCases {
            #expect(try read(#"{"do":"chart","value":"\#(chart.rawValue)"}"#) == [.chart(chart)])
        }
        for sort in DashboardSort.allCases {
            #expect(try read(#"{"do":"sort","value":"\#(sort.rawValue)"}"#) == [.sort(sort)])
        }
        #expect(try read(#"{"do":"metric","value":"dns.queries"}"#) == [.metric(.dnsQueries)])
        #expect(try read(#"{"do":"list","value":"dns.names"}"#) == [.list("dns.names")])
        #expect(try read(#"{"do":"list","value":null}"#) == [.list(nil)])
        #expect(try read(#"{"do":"type","value":"eth"}"#) == [.editFilter, .type("eth")])
        #expect(try read(#"{"do":"clearFilter"}"#) == [.clearFilter])
        #expect(try read(#"{"do":"toggleIdleRows"}"#) == [.toggleIdleRows])
        #expect(try read(#"{"do":"move","value":-3}"#) == [.move(-3)])
        #expect(try read(#"{"do":"select","value":"eth0"}"#) == [.select("eth0")])
        #expect(try read(#"{"do":"select"}"#) == [.select(nil)])
        #expect(try read(#"{"do":"scroll","value":900}"#) == [.scroll(to: 900)])
        #expect(try read(#"{"do":"fit","value":40}"#) == [.fit(rows: 40)])
        #expect(try read(#"{"do":"togglePause"}"#) == [.togglePause])
        #expect(try read(#"{"do":"recover"}"#) == [.recover])
        #expect(try read(#"{"do":"recover","value":"central"}"#) == [.retry("central")])
        #expect(try read(#"{"do":"dismiss"}"#) == [.dismiss])
    }

    @Test(arguments: [
        "null", "[]", "7", "{}", #"{"do":null}"#, #"{"do":"quit"}"#, #"{"do":"tick"}"#, #"{"do":"show","value":"x"}"#,
        #"{"do":"show"}"#, #"{"do":"range","value":3600}"#, #"{"do":"move","value":1.5}"#,
        #"{"do":"move","value":1001}"#,
        #"{"do":"fit","value":0}"#, #"{"do":"fit","value":"1"}"#, #"{"do":"type"}"#, #"{"do":"list","value":[]}"#,
    ])
    func whatIsNoWordIsRefused(_ json: String) throws {
        #expect(throws: DashboardIntent.Flaw.self) { try read(json) }
    }

    @Test func longTextsAreRefused() throws {
        let text = String(repeating: "x", count: 1_025)
        #expect(throws: DashboardIntent.Flaw.self) { try read(#"{"do":"select","value":"\#(text)"}"#) }
    }

    @Test func whatOrdersIsKnown() throws {
        var bench = DashboardBench()
        try bench.settle()
        #expect(bench.state.wouldOrder(.retry("central")))
        #expect(bench.state.wouldOrder(.recover), "a sink fails")
        bench.send(.show(.interfaces))
        #expect(!bench.state.wouldOrder(.recover), "on this page it is about the dashboard itself")
        #expect(!bench.state.wouldOrder(.dismiss))
        bench.send(.show(.plugins))
        try bench.settle()
        let fails = bench.state.table.rows.contains(where: \.isFailing)
        #expect(bench.state.wouldOrder(.recover) == fails)
    }

    @Test func rowsAreScrolledToWhereverTheSelectedOneIs() throws {
        var bench = DashboardBench(.talkers)
        bench.send(.fit(rows: 10))
        try bench.answer(
            "snapshot", DashboardBench.snapshot(lists: [DashboardBench.list("talkers.addresses", rows: 50)]))
        bench.send(.select("row 3"))
        bench.send(.scroll(to: 35))
        #expect(bench.state.firstRow == 35)
        #expect(bench.state.selected == "row 3")
        bench.pass(.seconds(1))
        try bench.settle()
        #expect(bench.state.firstRow == 0, "that snapshot has no lists, so no rows")
        bench.send(.scroll(to: -5))
        #expect(bench.state.firstRow == 0)
        bench.send(.scroll(to: 1_000_000))
        #expect(bench.state.firstRow < 50)
        bench.send(.select(nil))
        bench.send(.move(1))
        #expect(bench.state.firstRow == 0, "where the selected one is")
    }

    @Test func aSourceThatIsNamedTriesAgainFromAnyPage() throws {
        var bench = DashboardBench(.dns)
        try bench.settle()
        bench.send(.retry("central"))
        #expect(bench.request("retry")?.question == .retry("central"))
        try bench.settle()
        #expect(bench.state.order.value == "central")
        #expect(bench.state.order.loading == .success)
    }
}
