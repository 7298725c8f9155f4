import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@testable import SondeGateways

/// Lists in pages.
@Suite struct ListHandlerTests {
    private let clock = ManualClock()
    private let book = SnapshotBook()
    private let board: StatusBoard
    private let dispatcher: ControlDispatcher

    init() {
        let facts = AgentFacts(
            version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
            spool: AgentFacts.Spool(kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e", failure: nil))
        let ledger = LossLedger(log: RecordingLog())
        board = StatusBoard(
            facts: facts, spool: MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest), ledger: ledger,
            clock: clock)
        let build = BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: "h", clock: clock)
        dispatcher = ControlDispatcher([ListHandler(CurrentSnapshot(build, book: book, clock: clock))])
    }

    /// Reports so many names of a source, `n1` asked for most.
    private func report(_ count: Int, of source: String, view: String = "wire") throws {
        let metric = "sonde.dns.\(view).top.name.interval.queries"
        let list = try #require(TopListDefinition.lists(of: [])[metric])
        let readings = (1...count).map { number in
            TopListWindow.Reading(
                list,
                Series(
                    id: SeriesID(rawValue: UInt64(number)), source: source, name: metric, kind: .gauge, unit: "{query}",
                    attributes: [Attribute("sonde.dns.name", "n\(number)")]),
                value: Double(count - number + 1))
        }
        book.take([], [], readings, of: source, time: clock.wallTime, at: clock.monotonicTime)
    }

    private func ask(_ members: String) throws -> JSONValue {
        let line = "{\"request\":\"list\"\(members)}"
        return try JSONReader.parse(try #require(dispatcher.answer(.whole(Array(line.utf8)))))
    }

    private func labels(_ answer: JSONValue?) -> [String]? {
        answer?["rows"]?.asArray?.compactMap { $0["label"]?.asString }
    }

    @Test func pagesFollowEachOtherWithoutAGap() throws {
        try report(25, of: "wire")
        var (all, offset, pages): ([String], UInt64?, Int) = ([], 0, 0)
        while let next = offset, pages < 10 {
            let list = try ask(#","name":"dns.names","limit":10,"offset":\#(next)"#)["list"]
            all += try #require(labels(list))
            #expect(list?["count"]?.asInt64 == 25)
            #expect(list?["total"]?.asInt64 == 325)
            #expect(list?["bound"]?.asInt64 == Int64(TopList.bound))
            offset = list?["next"]?.asUInt64
            pages += 1
        }
        #expect(pages == 3)
        #expect(all == (1...25).map { "n\($0)" })
    }

    @Test func withoutALimitThereIsOnePage() throws {
        try report(400, of: "wire")
        let list = try ask(#","name":"dns.names""#)["list"]
        #expect(labels(list)?.count == TopList.bound)
        #expect(list?["next"] == nil)
        #expect(list?["count"]?.asInt64 == 400)
        let expected = (1...(400 - TopList.bound)).reduce(0, +)
        #expect(list?["rest"]?.asInt64 == Int64(expected))
    }

    @Test func beyondTheEndThereIsAnEmptyPage() throws {
        try report(3, of: "wire")
        for offset in ["3", "4", "18446744073709551615"] {
            let list = try ask(#","name":"dns.names","offset":\#(offset)"#)["list"]
            #expect(labels(list) == [])
            #expect(list?["next"] == nil)
        }
    }

    @Test func failuresHaveTheirAdviceAndPages() throws {
        for number in 1...120 {
            let entry = board.add(id: "s\(number)", plugin: "http", kind: .sink)
            let error = SondeError(
                ErrorCode("SND-CRL003"), stage: .deliver, class: .transient, message: "down",
                recovery: [.retry(after: .seconds(1)), .advise("Start it.")])
            entry.update { $0.fail(error, at: clock.monotonicTime) }
        }
        let first = try ask(#","name":"failures","limit":100"#)["list"]
        #expect(first?["count"]?.asInt64 == 120)
        #expect(first?["next"]?.asInt64 == 100)
        let last = try ask(#","name":"failures","offset":100"#)["list"]
        #expect(last?["next"] == nil)
        let rows = [first, last].flatMap { $0?["rows"]?.asArray ?? [] }
        #expect(rows.compactMap { $0["plugin"]?.asString } == (1...120).map { "s\($0)" })
        #expect(rows.allSatisfy { $0["advice"]?.asArray?.compactMap(\.asString) == ["Start it."] })
    }

    @Test func aSourceCanBeNamed() throws {
        try report(1, of: "a")
        try report(2, of: "b", view: "resolver")
        #expect(try ask(#","name":"dns.names""#)["list"]?["source"]?.asString == "a")
        #expect(try labels(ask(#","name":"dns.names","source":"b""#)["list"]) == ["n1", "n2"])
        let unknown = try ask(#","name":"dns.names","source":"c""#)["error"]
        #expect(unknown?["code"]?.asString == "SND-CTL011")
    }

    @Test func aListThatIsNotThereSaysWhatItNeeds() throws {
        let absent = try ask(#","name":"talkers.addresses""#)["error"]?["message"]?.asString
        #expect(absent?.contains("needs a source pcap with flows") == true)
        let unknown = try ask(#","name":"bogus""#)["error"]?["message"]?.asString
        #expect(unknown?.contains("dns.clients, dns.failing_names, dns.names") == true)
    }

    @Test(arguments: ["", #","name":1"#, #","name":"dns.names","offset":-1"#, #","name":"dns.names","limit":"a""#])
    func aWrongArgumentIsRefused(_ members: String) throws {
        try report(1, of: "wire")
        #expect(try ask(members)["error"]?["code"]?.asString == "SND-CTL011")
    }
}
