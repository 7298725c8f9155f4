import Foundation
import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@testable import SondeGateways

/// Requests about a real log on a real disk.
@Suite struct SpoolHandlersTests {
    private final class Fixture {
        let root = "\(NSTemporaryDirectory())sonde-desk-\(UUID().uuidString)"
        let spool: DiskSpool
        let orders = SinkOrders(sink: "a", wakeup: RecordingWakeup())
        let access: SpoolAccess

        init(segmentBytes: Int64 = 4 << 10) throws {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            var settings = DiskSpoolSettings(directory: "\(root)/spool", maxBytes: 8 << 20)
            settings.segmentBytes = segmentBytes
            settings.minFree = 0
            settings.resource = Resource(host: "edge-1")
            spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(1))
            spool.addReader("a", .durable, wants: .metrics)
            access = SpoolAccess(
                store: spool, agent: "agent",
                folders: SpoolAccess.Folders(spool: "\(root)/spool", deadLetters: "\(root)/dead-letter"),
                sinks: [orders])
        }

        deinit {
            try? FileManager.default.removeItem(atPath: root)
        }

        var dispatcher: ControlDispatcher {
            ControlDispatcher([
                SpoolSegmentsHandler(access), DeadLettersHandler(access), SpoolShowHandler(access),
                SpoolReplayHandler(access), SpoolPurgeHandler(access), SpoolOrderHandler(access),
            ])
        }

        func ask(_ request: String) throws -> JSONValue {
            try JSONReader.parse(try #require(dispatcher.answer(.whole(Array(request.utf8)))))
        }

        /// The code of the error that a request ends in.
        func code(_ request: String) throws -> String? { try ask(request)["error"]?["code"]?.asString }

        func keepLetters(_ count: UInt64, of sink: String = "a") throws {
            let store = DirectoryDeadLetterStore(
                directory: "\(root)/dead-letter/\(sink)", maxBytes: 1 << 20, ledger: LossLedger(log: RecordingLog()),
                log: RecordingLog())
            for number in 1...count {
                let identity = BatchIdentity(
                    agent: "agent", epoch: SpoolFixture.epoch(1), first: number * 10, last: number * 10)
                let points = SpooledPoints([SpooledPoint.numbered(number * 10)])
                let batch = Batch(points, [], identity, sink: sink, resource: Resource())
                #expect(store.keep(batch, because: .fake(.permanentData), at: Timestamp(seconds: 50)))
            }
        }
    }

    @Test func theSegmentsComeInPagesWithSinksOnTheFirst() throws {
        let fixture = try Fixture()
        for start in stride(from: UInt64(1), to: 5_000, by: 100) { fixture.spool.take(start...(start + 99)) }
        var firsts: [UInt64] = []
        var after: UInt64?
        var pages = 0
        repeat {
            let member = after.map { ",\"after\":\($0)" } ?? ""
            let page = try #require(
                try fixture.ask("{\"request\":\"spool.segments\",\"limit\":2\(member)}")["segments"])
            let items = try #require(page["items"]?.asArray)
            #expect(items.count <= 2)
            #expect((page["sinks"] != nil) == (after == nil))
            firsts += items.compactMap { $0["first"]?.asUInt64 }
            for item in items where item["state"]?.asString == "sealed" {
                #expect(item["oldest"]?.asString != nil)
                #expect((item["points"]?.asUInt64 ?? 0) > 0)
            }
            after = page["next"]?.asUInt64
            pages += 1
        } while after != nil
        #expect(pages > 2)
        #expect(firsts == fixture.spool.usage()?.segments.map(\.first))
    }

    @Test func setAsideFilesAreNamed() throws {
        let fixture = try Fixture()
        try "x".write(toFile: "\(fixture.root)/spool/0000000000000009.seg.v7", atomically: false, encoding: .utf8)
        let page = try #require(try fixture.ask(#"{"request":"spool.segments"}"#)["segments"])
        #expect(page["set_aside"]?.asArray?.compactMap { $0["name"]?.asString } == ["0000000000000009.seg.v7"])
    }

    @Test func aStretchIsShownInPagesAsJSONLines() throws {
        let fixture = try Fixture()
        fixture.spool.take(1...100)
        var lines: [String] = []
        var first: UInt64? = 11
        while let at = first {
            let page = try #require(
                try fixture.ask("{\"request\":\"spool.show\",\"first\":\(at),\"last\":40,\"limit\":7}")["show"])
            let found = (page["lines"]?.asArray ?? []).compactMap(\.asString)
            #expect(found.count <= 7)
            lines += found
            first = page["next"]?.asUInt64
        }
        let values = try lines.map { try JSONReader.parse($0)["value"]?.asUInt64 }
        #expect(values == (11...40).map { UInt64($0) })
        #expect(lines.first?.hasPrefix(#"{"time":"1970-01-01T00:00:11.000Z","name":"test.number""#) == true)
    }

    @Test func whatLiesBeyondTheLogIsSkippedAtOnce() throws {
        let fixture = try Fixture()
        fixture.spool.take(1...10)
        let page = try #require(
            try fixture.ask(#"{"request":"spool.show","first":11,"last":18446744073709551615}"#)["show"])
        #expect(page["lines"]?.asArray?.isEmpty == true)
        #expect(page["next"] == nil)
        let whole = try #require(
            try fixture.ask(#"{"request":"spool.show","first":1,"last":18446744073709551615,"limit":10}"#)["show"])
        #expect(whole["lines"]?.asArray?.count == 10)
        #expect(whole["next"] == nil)
    }

    @Test func deadLettersComeInPagesOfAllSinksOrOfOne() throws {
        let fixture = try Fixture()
        try fixture.keepLetters(3)
        try fixture.keepLetters(2, of: "b")
        var found: [String] = []
        var after: String?
        repeat {
            let member = after.map { ",\"after\":\"\($0)\"" } ?? ""
            let page = try #require(
                try fixture.ask("{\"request\":\"spool.dead_letters\",\"limit\":2\(member)}")["dead_letters"])
            found += (page["items"]?.asArray ?? []).map {
                "\($0["sink"]?.asString ?? "")\($0["points"]?.asUInt64 ?? 0)"
            }
            after = page["next"]?.asString
        } while after != nil
        #expect(found == ["a1", "a1", "a1", "b1", "b1"])
        let one = try fixture.ask(#"{"request":"spool.dead_letters","sink":"b"}"#)["dead_letters"]
        #expect(one?["items"]?.asArray?.count == 2)
    }

    @Test func aDeadLetterOfTwoSinksNeedsTheSinksName() throws {
        let fixture = try Fixture()
        try fixture.keepLetters(1)
        try fixture.keepLetters(1, of: "b")
        let name = "\(SpoolFixture.epoch(1))-00000000000000000010-00000000000000000010.jsonl"
        #expect(try fixture.code("{\"request\":\"spool.show\",\"dead_letter\":\"\(name)\"}") == "SND-CTL011")
        let shown = try fixture.ask("{\"request\":\"spool.show\",\"dead_letter\":\"\(name)\",\"sink\":\"b\"}")["show"]
        #expect(shown?["heading"]?["sink"]?.asString == "b")
        #expect(shown?["lines"]?.asArray?.count == 1)
    }

    @Test(arguments: [
        (#"{"request":"spool.show"}"#, "SND-CTL011"),
        (#"{"request":"spool.show","first":0}"#, "SND-CTL011"),
        (#"{"request":"spool.show","first":5,"last":4}"#, "SND-CTL011"),
        (#"{"request":"spool.show","first":"5"}"#, "SND-CTL011"),
        (#"{"request":"spool.show","first":-1}"#, "SND-CTL011"),
        (#"{"request":"spool.show","dead_letter":"../../etc/passwd"}"#, "SND-SPL012"),
        (#"{"request":"spool.replay"}"#, "SND-CTL011"),
        (#"{"request":"spool.replay","sink":"b","all":true}"#, "SND-SPL008"),
        (#"{"request":"spool.replay","sink":"a"}"#, "SND-CTL011"),
        (#"{"request":"spool.replay","sink":"a","all":true,"dead_letter":"x.jsonl"}"#, "SND-CTL011"),
        // What was delivered is not replayed.
        (#"{"request":"spool.replay","sink":"a","first":1,"last":3}"#, "SND-CTL011"),
        (#"{"request":"spool.replay","sink":"a","dead_letter":"x.jsonl"}"#, "SND-SPL012"),
        (#"{"request":"spool.purge","sink":"a"}"#, "SND-CTL011"),
        (#"{"request":"spool.purge","sink":"a","all":true,"before":"2026-01-01T00:00:00Z"}"#, "SND-CTL011"),
        (#"{"request":"spool.purge","sink":"a","before":"yesterday"}"#, "SND-CTL011"),
        (#"{"request":"spool.purge","sink":"b","all":true}"#, "SND-SPL008"),
        (#"{"request":"spool.order","sink":"a"}"#, "SND-CTL011"),
        (#"{"request":"spool.order","sink":"a","id":99}"#, "SND-CTL011"),
    ])
    func aRequestThatCannotBeFollowedHasAStableCode(_ request: String, _ code: String) throws {
        let fixture = try Fixture()
        fixture.spool.take(1...10)
        #expect(try fixture.code(request) == code)
    }

    @Test func aPurgeThatIsNotConfirmedGivesNoOrder() throws {
        let fixture = try Fixture()
        fixture.spool.take(1...10)
        let preview = try fixture.ask(#"{"request":"spool.purge","sink":"a","all":true}"#)["purge"]
        #expect(preview?["points"]?.asUInt64 == 10)
        #expect(fixture.orders.report(of: 1) == nil)
        let order = try fixture.ask(#"{"request":"spool.purge","sink":"a","all":true,"confirm":true}"#)["order"]
        #expect(order?["state"]?.asString == "waiting")
        #expect(order?["kind"]?.asString == "purge_waiting")
        #expect(fixture.orders.report(of: 1)?.order.work == .purgeWaiting(before: nil))
        let later = try fixture.ask(#"{"request":"spool.order","sink":"a","id":1}"#)["order"]
        #expect(later == order)
    }
}
