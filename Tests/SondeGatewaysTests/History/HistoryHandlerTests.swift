import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct HistoryHandlerTests {
    private let clock = ManualClock()
    private let record: RecordHistory

    init() {
        record = RecordHistory(store: InMemoryHistoryStore(units: 40), clock: clock, log: RecordingLog())
        for _ in 0..<24 {
            clock.advance(by: .seconds(5))
            for number in 0..<20 {
                let series = HistorySeries(.bandwidthReceive, member: "eth\(number)", source: "kernel")
                let reading = HistoryObservation(.held(Double(number), peak: 99), at: clock.wallTime, held: .seconds(5))
                record.take([.init(series: series, rank: .standard, observation: reading)])
            }
        }
    }

    private func ask(_ handler: any ControlHandler, _ request: JSONValue) throws -> JSONValue {
        let answer = try handler.answer(request)
        var json = JSONWriter()
        json.object { $0.member(answer.key, answer.write) }
        return try #require(try JSONReader.parse(json.bytes)[answer.key])
    }

    private func request(_ members: [JSONValue.Member]) -> JSONValue { .object(members) }

    @Test func anAnswerComesInPagesThatHaveEverySeriesOnce() throws {
        let handler = HistoryHandler(record, clock: clock)
        var names: [String] = []
        var after: [JSONValue.Member] = []
        var pages = 0
        repeat {
            let page = try ask(
                handler, request([.init("metric", .string("bandwidth")), .init("range", .string("1h"))] + after))
            let items = try #require(page["items"]?.asArray)
            names += items.compactMap { $0["interface"]?.asString }
            #expect(items.allSatisfy { $0["points"]?.asArray?.count == 24 })
            after = page["next"].map { [.init("after", $0)] } ?? []
            pages += 1
            clock.advance(by: .seconds(1))
        } while !after.isEmpty
        #expect(pages == 3)
        #expect(Set(names).count == 20)
        #expect(names.count == 20)
    }

    @Test func whereNoHistoryIsKeptTheAnswerSaysWhy() {
        let error = #expect(throws: SondeError.self) { try NoHistoryHandler("history").answer(request([])) }
        #expect(error?.code == .historyOff)
        #expect(error?.message == "this agent keeps no history: it has no state directory")
    }

    @Test func aSeriesTellsItsPointsAndWhatTheyComeTo() throws {
        let page = try ask(
            HistoryHandler(record, clock: clock), request([.init("member", .string("eth7"))]))
        let item = try #require(page["items"]?.asArray?.first)
        #expect(item["metric"]?.asString == "bandwidth.receive")
        #expect(item["summary"]?["average"]?.asDouble == 7)
        #expect(item["summary"]?["peak"]?.asDouble == 99)
        #expect(item["summary"]?["covered_seconds"]?.asDouble == 120)
        #expect(page["step_seconds"]?.asDouble == 5)
    }

    @Test(arguments: [
        [JSONValue.Member("metric", .string("bandwith"))],
        [.init("range", .string("a while"))],
        [.init("range", .string("-1h"))],
        [.init("range", .string("1h")), .init("from", .string("2026-01-01T00:00:00Z"))],
        [.init("from", .string("2026-01-02T00:00:00Z")), .init("to", .string("2026-01-01T00:00:00Z"))],
        [.init("from", .string("yesterday"))],
        [.init("resolution", .integer(5))],
        [.init("after", .object([.init("metric", .string("nothing"))]))],
        [.init("after", .object([.init("asked", .string("2200-01-01T00:00:00Z"))]))],
    ])
    func whatCannotBeAskedIsAnError(members: [JSONValue.Member]) {
        let failure = #expect(throws: SondeError.self) {
            try ask(HistoryHandler(record, clock: clock), request(members))
        }
        #expect(failure?.code == .controlArgumentInvalid)
    }

    @Test(arguments: [
        [JSONValue.Member("from", .string("2100-01-01T00:00:00Z")), .init("to", .string("2101-01-01T00:00:00Z"))],
        [.init("from", .string("2026-01-01T00:00:00Z")), .init("to", .string("2026-01-01T00:00:00Z"))],
        [.init("range", .string("0s"))],
    ])
    func aRangeWithNothingInItIsAnEmptyAnswer(members: [JSONValue.Member]) throws {
        let page = try ask(HistoryHandler(record, clock: clock), request(members))
        #expect(page["items"]?.asArray == [])
        #expect(page["next"] == nil)
    }

    @Test func anExportInPiecesIsWhatItIsInOne() throws {
        let handler = ExportHandler(record, host: "h", clock: clock)
        for format in HistoryFormat.allCases {
            var (text, after): (String, [JSONValue.Member]) = ("", [])
            repeat {
                let page = try ask(handler, request([.init("format", .string(format.rawValue))] + after))
                text += try #require(page["text"]?.asString)
                after = page["next"].map { [.init("after", $0)] } ?? []
            } while !after.isEmpty
            #expect(text.contains("eth19"))
            if format == .json { #expect(try JSONReader.parse(text)["points"]?.asArray?.count == 480) }
        }
        let failure = #expect(throws: SondeError.self) {
            try ask(handler, request([.init("format", .string("xml"))]))
        }
        #expect(failure?.code == .controlArgumentInvalid)
    }
}
