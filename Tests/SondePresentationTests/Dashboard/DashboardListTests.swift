import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// The lists of the heaviest: talkers, services, names.
@Suite struct DashboardListTests {
    private static let needs = #"{"name":"talkers.ports","title":"Talkers by port","needs":"a source pcap\u001b[2J"}"#

    private func bench(_ tab: DashboardTab, _ lists: [String]) throws -> DashboardBench {
        var bench = DashboardBench(tab)
        try bench.answer("snapshot", DashboardBench.snapshot(lists: lists, absent: Self.needs))
        return bench
    }

    @Test func aPageShowsItsFirstListWithRatesAndShares() throws {
        let bench = try bench(.talkers, [DashboardBench.list("talkers.addresses", rows: 2)])
        #expect(bench.state.list == "talkers.addresses")
        let table = bench.state.table
        #expect(table.title == "Heaviest · wire · last 10 s")
        #expect(table.columns == ["ADDRESS", "RATE", "SHARE"])
        #expect(
            table.rows.map(\.texts) == [
                ["row 0", "1.00 kB/s", "10 %"], ["row 1", "1.00 kB/s", "10 %"], ["(all others)", "102  B/s", "1 %"],
            ])
        #expect(bench.request("list") == nil)
    }

    @Test func aListOfSeveralSourcesHasTheRowsOfAll() throws {
        let log = DashboardBench.list("dns.failing_names", rows: 2, from: 1).replacing("wire", with: "log")
        var bench = try bench(.dns, [DashboardBench.list("dns.failing_names", rows: 1), log])
        #expect(bench.state.table.title == "names that fail: row 0 1.00 kB/s (wire), row 1 1.00 kB/s (log)")
        bench.send(.list("dns.failing_names"))
        let table = bench.state.table
        #expect(table.title == "Heaviest · last 10 s")
        #expect(table.columns == ["NAME", "SOURCE", "RATE", "SHARE"])
        #expect(
            table.rows.map { Array($0.texts.prefix(2)) } == [
                ["row 0", "wire"], ["row 1", "log"], ["row 2", "log"], ["(all others)", "wire"],
                ["(all others)", "log"],
            ])
        #expect(Set(table.rows.map(\.id)).count == 5)
    }

    @Test func otherListsOfThePageAreChosenAndSayWhatTheyNeed() throws {
        var bench = try bench(.talkers, [DashboardBench.list("talkers.addresses", rows: 2)])
        bench.send(.list("talkers.ports"))
        #expect(bench.state.table.rows.isEmpty)
        #expect(bench.state.table.absence == "no source reports this: it needs a source pcap\u{fffd}[2J")
        bench.send(.list("talkers.protocols"))
        #expect(bench.state.table.absence == "nothing was counted of this yet")
        bench.send(.list("dns.names"))
        #expect(bench.state.list == "talkers.protocols")
        bench.send(.list(nil))
        #expect(bench.state.list == "talkers.protocols")
        bench.send(.show(.overview))
        #expect(bench.state.list == nil)
    }

    @Test func theKeyOfListsGoesThroughThemAll() throws {
        var bench = try bench(.dns, [])
        var seen: [String?] = []
        for _ in 0..<5 {
            seen.append(bench.state.list)
            bench.send(try #require(DashboardKeys.intent(of: .character("l"), in: bench.state)))
        }
        #expect(seen == [nil, "dns.names", "dns.failing_names", "dns.clients", nil])
        bench.send(.show(.connections))
        #expect(DashboardKeys.intent(of: .character("l"), in: bench.state) == nil)
    }

    @Test func rowsThatTheSnapshotDoesNotHaveComeInPages() throws {
        let head = DashboardBench.list("services.bytes", rows: 10, of: 600)
        var bench = try bench(.services, [head])
        #expect(bench.state.wholeList.loading == .loading)
        #expect(bench.state.table.rows.count == 11)
        let first = try #require(bench.request("list"))
        #expect(first.members == [.init("name", "services.bytes"), .init("source", "wire")])
        try bench.answer(first, DashboardBench.list("services.bytes", rows: 250, of: 600, next: 250))
        #expect(bench.state.wholeList.loading == .loadingMore)
        #expect(bench.state.table.rows.count == 251)
        #expect(bench.request("list")?.members.last == JSONValue.Member("offset", .integer(250)))
        try bench.answer("list", DashboardBench.list("services.bytes", rows: 350, from: 250, of: 600))
        #expect(bench.state.wholeList.loading == .success)
        #expect(bench.state.table.rows.count == 601)
        bench.pass(.seconds(1))
        #expect(bench.state.wholeList.loading == .refreshing)
        // Another list is asked for anew, and what still comes of the former is late.
        let late = try #require(bench.request("list"))
        bench.send(.list("services.connections"))
        try bench.answer(late, head)
        #expect(bench.state.wholeList.value == nil)
    }

    @Test func aListHoldsAThousandRows() throws {
        var bench = try bench(.services, [DashboardBench.list("services.bytes", rows: 10, of: 5_000)])
        var pages = 0
        while bench.request("list") != nil {
            try bench.answer(
                "list", DashboardBench.list("services.bytes", rows: 300, from: 300 * pages, of: 5_000, next: 300))
            pages += 1
            try #require(pages < 10)
        }
        #expect(bench.state.wholeList.value?.rows.count == DashboardList.rowBound)
    }

    @Test func aListThatFailsIsAskedForAgain() throws {
        var bench = try bench(.services, [DashboardBench.list("services.bytes", rows: 10, of: 600)])
        try bench.fail("list", .controlArgumentInvalid)
        #expect(bench.state.failure?.part == .list)
        bench.send(.recover)
        #expect(bench.request("list") != nil)
        try bench.fail("list", .controlArgumentInvalid)
        bench.send(.dismiss)
        #expect(bench.state.failure == nil)
        #expect(bench.state.table.rows.count == 11)
        bench.pass(.seconds(1))
        let request = try #require(bench.request("list"))
        try bench.answer(request, "{}")
        bench.pass(.seconds(5))
        #expect(bench.state.wholeList.failure?.isAbsence == true)
    }

    @Test func aTableOfAListIsDrawnWithItsTitle() throws {
        var bench = try bench(.talkers, [DashboardBench.list("talkers.addresses", rows: 5, of: 5)])
        DashboardViewGoldenTests.fit(&bench)
        let text = DashboardViewGoldenTests.text(bench.state)
        #expect(text.contains("Heaviest · wire · last 10 s\n  ADDRESS"))
        #expect(text.contains("(all others)"))
    }
}
