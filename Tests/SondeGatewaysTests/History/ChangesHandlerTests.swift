import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct ChangesHandlerTests {
    private let clock = ManualClock()
    private let record: RecordHistory

    /// Three hours of twenty interfaces, of which the last quarter of an hour of three has much more.
    init() {
        record = RecordHistory(store: InMemoryHistoryStore(units: 40), clock: clock, log: RecordingLog())
        for minute in 0..<180 {
            clock.advance(by: .seconds(60))
            for number in 0..<20 {
                let series = HistorySeries(.bandwidthReceive, member: "eth\(number)", source: "kernel")
                let value = minute >= 165 && number < 3 ? 1e8 * Double(number + 1) : 1e6
                let reading = HistoryObservation(.held(value, peak: nil), at: clock.wallTime, held: .seconds(60))
                record.take([.init(series: series, rank: .standard, observation: reading)])
            }
            if minute % 10 == 0 { _ = record.commit() }
        }
    }

    private func ask(_ members: [JSONValue.Member] = []) throws -> JSONValue {
        let answer = try ChangesHandler(record, clock: clock).answer(.object(members))
        var json = JSONWriter()
        json.object { $0.member(answer.key, answer.write) }
        return try #require(try JSONReader.parse(json.bytes)["changes"])
    }

    @Test func theMostUnusualComesFirstAndTheRestIsCounted() throws {
        let answer = try ask()
        let items = try #require(answer["items"]?.asArray)
        #expect(items.map { $0["interface"]?.asString } == ["eth2", "eth1", "eth0"])
        let first = try #require(items.first)
        #expect(first["change"]?.asString == "higher" && first["basis"]?.asString == "time_before")
        #expect(first["value"]?.asDouble == 3e8 && first["usual"]?["median"]?.asDouble == 1e6)
        #expect(first["since"]?.asString == "2026-01-01T02:45:00.000Z" && first["until"] == nil)
        #expect(first["may_be_earlier"]?.asBool == false)
        #expect(answer["from"]?.asString == "2026-01-01T02:00:00.000Z")
        #expect(answer["to"]?.asString == "2026-01-01T03:00:00.000Z")
        #expect(answer["compared"]?.asUInt64 == 20 && answer["days_kept"]?.asUInt64 == 0)
        let few = try ask([.init("limit", .integer(1))])
        #expect(few["items"]?.asArray?.count == 1 && few["moved"]?.asUInt64 == 3)
    }

    @Test(arguments: [
        [JSONValue.Member("range", .string("a while"))], [.init("range", .string("4m"))],
        [.init("range", .string("25h"))],
        [.init("range", .integer(3))], [.init("against", .string("30d"))], [.init("limit", .string("few"))],
    ])
    func whatCannotBeAskedIsAnError(members: [JSONValue.Member]) {
        let failure = #expect(throws: SondeError.self) { try ask(members) }
        #expect(failure?.code == .controlArgumentInvalid)
    }

    @Test func bothReferencesAndAllRangesAreAnswered() throws {
        for range in ["5m", "1h", "6h", "24h"] {
            for against in ["1d", "7d"] {
                let answer = try ask([.init("range", .string(range)), .init("against", .string(against))])
                #expect(answer["against"]?.asString == against)
            }
        }
    }
}
