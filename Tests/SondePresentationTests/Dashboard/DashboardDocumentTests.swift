import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What a page in a browser is sent.
@Suite struct DashboardDocumentTests {
    private func parse(_ bytes: [UInt8]?) throws -> JSONValue {
        try JSONReader.parse(try #require(bytes))
    }

    private func names(_ json: JSONValue) -> [String] {
        guard case .object(let members) = json else { return [] }
        return members.map(\.key)
    }

    @Test func theFirstChangesAreAllMembersAndLaterOnesThoseThatDiffer() throws {
        var bench = DashboardBench()
        var document = DashboardDocument()
        try bench.settle()
        let first = try parse(document.changes(in: bench.state))
        #expect(names(first).count == 26)
        #expect(first["tab"]?.asString == "overview")
        #expect(first["range"]?.asString == "1h")
        #expect(first["agent"]?["host"]?.asString == "edge-1")
        #expect(document.changes(in: bench.state) == nil, "nothing has changed")
        bench.send(.range(.week))
        let second = try parse(document.changes(in: bench.state))
        #expect(Set(names(second)) == ["loading", "range", "series", "span"])
        #expect(second["range"]?.asString == "7d")
    }

    @Test func aChartHasItsPointsWithTimesAndPeaks() throws {
        var bench = DashboardBench(.interfaces)
        var document = DashboardDocument()
        try bench.settle()
        let series = try #require(try parse(document.changes(in: bench.state))["series"])
        #expect(series["unit"]?.asString == "By/s")
        #expect(series["title"]?.asString == "receive")
        let points = try #require(series["points"]?.asArray)
        #expect(points.count >= 3)
        let first = try #require(points.first?.asArray)
        #expect(first.count == 3)
        #expect(first[0].asDouble == 1_767_239_985)
        #expect(first[1].asDouble == 1)
        #expect(first[2].isNull)
        #expect(series["note"]?.isNull == true)
    }

    @Test func aChartWithoutPointsSaysWhy() throws {
        let bench = DashboardBench()
        var document = DashboardDocument()
        let view = try parse(document.changes(in: bench.state))
        #expect(view["series"]?["note"]?.asString == "waiting for the agent")
        #expect(view["agent"]?["state"]?.asString == "unknown")
        #expect(view["table"]?["note"]?.asString == "waiting for the agent")
        #expect(view["time"]?.isNull == true)
    }

    @Test func aPageWithoutAChartHasNoSeries() throws {
        var bench = DashboardBench(.services)
        var document = DashboardDocument()
        try bench.settle()
        let view = try parse(document.changes(in: bench.state))
        #expect(view["series"]?.isNull == true)
        #expect(view["metric"]?.isNull == true)
        #expect(view["lists"]?.asArray?.count == 2)
        #expect(view["list"]?.asString == "services.bytes")
    }

    @Test func whatFailsIsListedWithWhatToDo() throws {
        var bench = DashboardBench()
        var document = DashboardDocument()
        try bench.settle()
        let view = try parse(document.changes(in: bench.state))
        let failure = try #require(view["failures"]?.asArray?.first)
        #expect(failure["plugin"]?.asString == "central")
        #expect(failure["code"]?.asString == "SND-CRL003")
        #expect(failure["message"]?.asString?.hasSuffix("no connection; because the route is gone") == true)
        #expect(failure["since"]?.asString == "1m")
        #expect(failure["advice"]?.asArray?.first?.asString == "Check host and port of url.")
        #expect(failure["yaml"]?.asString == "/etc/sonde/sonde.yaml:7:5: sinks: [{ id: central, url: … }]")
        #expect(failure["canRetry"]?.asBool == true)
        let tabs = try #require(view["tabs"]?.asArray)
        #expect(
            tabs.filter { $0["isFailing"]?.asBool == true }.compactMap { $0["id"]?.asString } == [
                "overview", "plugins",
            ])
    }

    @Test func whereTheStatusIsNotAskedForTheSnapshotSaysWhatFails() throws {
        var bench = DashboardBench(.dns)
        var document = DashboardDocument()
        try bench.answer("snapshot", DashboardBench.snapshot(failures: DashboardBench.failure))
        let view = try parse(document.changes(in: bench.state))
        #expect(view["agent"]?["state"]?.asString == "failing")
        let failure = try #require(view["failures"]?.asArray?.first)
        #expect(failure["plugin"]?.asString == "central")
        #expect(failure["canRetry"]?.asBool == true)
        #expect(view["drop"]?["counter"]?.asString == "udp_receive_errors")
    }

    @Test func anAgentThatIsGoneIsAFailureOfThePage() throws {
        var bench = DashboardBench()
        var document = DashboardDocument()
        try bench.settle()
        bench.pass(.seconds(1))
        bench.loseAgent()
        let view = try parse(document.changes(in: bench.state))
        #expect(view["agent"]?["state"]?.asString == "gone")
        #expect(view["failure"]?["recovery"]?.asString == "retry")
        #expect(view["failure"]?["label"]?.asString == "Ask again")
        #expect(view["failure"]?["part"]?.asString == "snapshot")
    }

    @Test(arguments: [
        (ErrorCode.historyOff, "reconfigure"), (.controlArgumentInvalid, "reset_range"), (.controlNotAnswered, "retry"),
    ])
    func aFailureHasItsRecovery(_ code: ErrorCode, _ word: String) throws {
        var bench = DashboardBench()
        var document = DashboardDocument()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try bench.fail("history", code)
        let failure = try #require(try parse(document.changes(in: bench.state))["failure"])
        #expect(failure["recovery"]?.asString == word)
        #expect((failure["yaml"]?.asString != nil) == (word == "reconfigure"))
        bench.send(.dismiss)
        #expect(try parse(document.changes(in: bench.state))["failure"]?.isNull == true)
    }

    @Test func anExportSaysHowFarItIsAndAFailedOneIsMadeAgain() throws {
        var bench = DashboardBench()
        var document = DashboardDocument()
        try bench.settle()
        bench.send(.export(format: "json"))
        try bench.answer("export", #"{"done":1,"count":3,"text":"[","next":{"a":1}}"#)
        let view = try parse(document.changes(in: bench.state))
        #expect(view["export"]?["name"]?.asString == "sonde-bandwidth.receive-1h.json")
        #expect(view["export"]?["done"]?.asInt64 == 1)
        #expect(view["export"]?["isComplete"]?.asBool == false)
        bench.send(.exportFailed(DashboardBench.error(.controlNotAnswered)))
        #expect(try parse(document.changes(in: bench.state))["failure"]?["recovery"]?.asString == "retry_export")
    }

    @Test func anOrderIsConfirmed() throws {
        var bench = DashboardBench()
        var document = DashboardDocument()
        bench.send(.retry("central"))
        try bench.settle()
        #expect(try parse(document.changes(in: bench.state))["order"]?.asString == "central tries again now")
    }

    @Test func onlyTheRowsOfThePageAreSent() throws {
        var bench = DashboardBench(.talkers)
        var document = DashboardDocument()
        bench.send(.fit(rows: 10))
        try bench.answer(
            "snapshot", DashboardBench.snapshot(lists: [DashboardBench.list("talkers.addresses", rows: 50)]))
        bench.send(.scroll(to: 20))
        let table = try #require(try parse(document.changes(in: bench.state))["table"])
        #expect(table["rows"]?.asArray?.count == 10)
        #expect(table["rows"]?.asArray?.first?["id"]?.asString == "row 20")
        #expect(table["rows"]?.asArray?.first?["values"]?.asArray?.count == 3)
        #expect(table["first"]?.asInt64 == 20)
        #expect(table["total"]?.asInt64 == 51)
        #expect(table["columns"]?.asArray?.compactMap(\.asString) == ["address", "rate", "share"])
        #expect(table["align"]?.asArray?.compactMap(\.asString) == ["left", "right", "right"])
    }

    @Test func rowsThatAreHiddenAreCountedAndAFilterThatFindsNothingSaysSo() throws {
        var bench = DashboardBench(.interfaces)
        var document = DashboardDocument()
        try bench.settle()
        let table = try #require(try parse(document.changes(in: bench.state))["table"])
        #expect(table["hidden"]?.asInt64 == 1)
        #expect(table["note"]?.isNull == true)
        bench.send(.editFilter)
        bench.send(.type("nothing"))
        #expect(try parse(document.changes(in: bench.state))["filter"]?.asString == "nothing")
        bench.pass(.seconds(1))
        let note = try parse(document.changes(in: bench.state))["table"]?["note"]?.asString
        #expect(note == "no interfaces with 'nothing'")
    }

    @Test func namesThatWouldSteerAreHarmless() throws {
        var bench = DashboardBench(.talkers)
        var document = DashboardDocument()
        let list = DashboardBench.list("talkers.addresses", rows: 1)
            .replacing("row 0", with: #"\u001b[31m</script>\n\ndata: x\r\u2028"#)
        try bench.answer("snapshot", DashboardBench.snapshot(lists: [list]))
        let changes = document.changes(in: bench.state)
        let bytes = try #require(changes)
        #expect(!bytes.contains(0x0a) && !bytes.contains(0x0d) && !bytes.contains(0x1b))
        let cell = try parse(bytes)["table"]?["rows"]?.asArray?.first?["cells"]?.asArray?.first?.asString
        #expect(cell == "\u{fffd}[31m</script>\u{fffd}\u{fffd}data: x\u{fffd}\u{fffd}")
    }
}
