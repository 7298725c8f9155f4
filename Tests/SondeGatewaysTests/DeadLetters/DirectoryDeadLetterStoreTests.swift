import Foundation
import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DirectoryDeadLetterStoreTests {
    /// A store in a folder that is gone with this object.
    private final class Fixture {
        let root = "\(NSTemporaryDirectory())sonde-letters-\(UUID().uuidString)"
        let ledger: LossLedger
        let log = RecordingLog()
        let store: DirectoryDeadLetterStore

        init(maxBytes: Int64 = 1 << 20) throws {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            ledger = LossLedger(log: RecordingLog())
            store = DirectoryDeadLetterStore(
                directory: "\(root)/dead-letter/central", maxBytes: maxBytes, ledger: ledger, log: log)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: root)
        }

        var folder: DeadLetterFolder { DeadLetterFolder(directory: "\(root)/dead-letter/central") }

        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder.path(name), encoding: .utf8)
        }

        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: folder.path(name), atomically: false, encoding: .utf8)
        }
    }

    /// Values that JSON lines cannot tell apart, times between milliseconds, a histogram and a document.
    private static func batch(_ first: UInt64 = 7) -> Batch {
        let series = [
            Series(
                id: SeriesID(rawValue: 1), source: "kernel", name: "a.b", kind: .gauge, unit: "By",
                attributes: [Attribute("k", "v")], labels: [Attribute("site", "fra1")]),
            Series(id: SeriesID(rawValue: 2), source: "kernel", name: "c", kind: .histogram, unit: ""),
        ]
        let time = Timestamp(nanoseconds: 1_767_225_600_123_456_789)
        let values: [SampleValue] = [.double(5), .unsigned(5), .signed(5), .double(0.1)]
        var entries = values.map {
            Batch.Entry(seriesIndex: 0, point: MetricPoint(series: series[0].id, time: time, value: $0))
        }
        if let histogram = HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: 1.5) {
            entries.append(
                Batch.Entry(
                    seriesIndex: 1,
                    point: MetricPoint(series: series[1].id, time: time, start: time, value: .histogram(histogram))))
        }
        return Batch(
            identity: BatchIdentity(
                agent: "a", epoch: SpoolFixture.epoch(1), first: first, last: first + UInt64(entries.count)),
            sink: "central",
            resource: Resource(host: "edge-1", agentVersion: "1.0", labels: [Attribute("rack", "7")]), series: series,
            entries: entries,
            documents: [Document(schema: "sonde.snapshot/1", time: time, json: Array(#"{"x":1}"#.utf8))])
    }

    private static let refusal = SondeError.fake(.permanentData)

    private static func keep(_ batch: Batch, in fixture: Fixture) -> Bool {
        fixture.store.keep(batch, because: refusal, at: Timestamp(seconds: 1_767_225_700))
    }

    @Test func aBatchComesBackExactlyAsItWasRefused() throws {
        let fixture = try Fixture()
        let batch = Self.batch()
        #expect(Self.keep(batch, in: fixture))
        let name = try #require(fixture.store.names.first)
        let loaded = try fixture.store.load(name)
        #expect(loaded.identity == batch.identity)
        #expect(loaded.sink == batch.sink)
        #expect(loaded.resource == batch.resource)
        #expect(loaded.entries.map(\.point.value) == batch.entries.map(\.point.value))
        #expect(loaded.entries.map(\.point.time) == batch.entries.map(\.point.time))
        #expect(loaded.entries.map(\.point.start) == batch.entries.map(\.point.start))
        #expect(loaded.documents == batch.documents)
        #expect(loaded.series.map(\.source) == ["kernel", "kernel"])
        #expect(Set(loaded.series.map(\.id.rawValue)).allSatisfy { $0 >= SeriesInterner.firstDeadLetterID })
        var (before, after) = (ByteBuffer(), ByteBuffer())
        var encoder = JSONLineEncoder()
        _ = encoder.encode(batch, into: &before)
        _ = encoder.encode(loaded, into: &after)
        #expect(before.bytes == after.bytes)
    }

    @Test func saysOnceThatBatchesAreLargerThanTheBound() throws {
        let fixture = try Fixture(maxBytes: 100)
        #expect(!Self.keep(Self.batch(), in: fixture))
        #expect(!Self.keep(Self.batch(20), in: fixture))
        let lines = fixture.log.lines(.warning).map(\.message)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("a refused batch could not be kept: with ") == true)
        #expect(lines.first?.hasSuffix(" bytes it is larger than dead_letter.max_bytes, 100") == true)
        #expect(fixture.store.names.isEmpty)
    }

    @Test(arguments: SimulatedFileSystem.PowerCut.allCases)
    func whatWasKeptSurvivesAPowerCut(_ kept: SimulatedFileSystem.PowerCut) throws {
        let disk = SimulatedFileSystem(seed: 3)
        let ledger = LossLedger(log: RecordingLog())
        let store = DirectoryDeadLetterStore(
            directory: "/state/dead-letter/central", maxBytes: 1 << 20, fileSystem: disk, ledger: ledger,
            log: RecordingLog())
        let batch = Self.batch()
        #expect(store.keep(batch, because: .fake(.permanentData), at: Timestamp(seconds: 5)))
        disk.cutPower(keeping: kept)
        let path = try #require(disk.paths.first { $0.hasSuffix(".jsonl") })
        #expect(disk.contents(of: path)?.last == 0x0a)
    }

    @Test func theHeadingSaysWhatTheFileHoldsAndTheLinesFollow() throws {
        let fixture = try Fixture()
        #expect(Self.keep(Self.batch(), in: fixture))
        let name = try #require(fixture.store.names.first)
        #expect(name == "\(SpoolFixture.epoch(1))-00000000000000000007-00000000000000000012.jsonl")
        let heading = try #require(fixture.store.heading(of: name))
        #expect(heading.points == 5)
        #expect(heading.documents == 1)
        #expect(heading.code == Self.refusal.code.text)
        #expect(heading.time == Timestamp(seconds: 1_767_225_700))
        let page = try #require(fixture.folder.lines(of: name, from: 0, count: 4, bytes: 1 << 20))
        #expect(page.lines.count == 4)
        #expect(!page.isEnd)
        let rest = try #require(fixture.folder.lines(of: name, from: 4, count: 4, bytes: 1 << 20))
        #expect(rest.lines.last == Array(#"{"x":1}"#.utf8))
        #expect(rest.lines.count == 2)
        #expect(rest.isEnd)
    }

    @Test func aNewRefusalChangesTheHeadingAlone() throws {
        let fixture = try Fixture()
        #expect(Self.keep(Self.batch(), in: fixture))
        let name = try #require(fixture.store.names.first)
        let body = try fixture.text(name).split(separator: "\n").dropFirst()
        fixture.store.noteRefusal(name, because: .fake(.tooLarge), at: Timestamp(seconds: 1_767_225_800))
        let heading = try #require(fixture.store.heading(of: name))
        #expect(heading.failureClass == "too_large")
        #expect(heading.time == Timestamp(seconds: 1_767_225_800))
        #expect(try fixture.text(name).split(separator: "\n").dropFirst() == body)
        #expect(try fixture.store.load(name).entries.count == 5)
    }

    @Test func whatGivesWayForNewerOnesIsInTheLossLedger() throws {
        let fixture = try Fixture(maxBytes: 4_000)
        for first in stride(from: UInt64(10), to: 100, by: 10) { #expect(Self.keep(Self.batch(first), in: fixture)) }
        let kept = fixture.store.names.count
        #expect((1...8).contains(kept))
        // Five points and a document each.
        #expect(
            fixture.ledger.count(component: "central", reason: "dead_letter_evicted") == UInt64(9 - kept) * 6)
        #expect(fixture.store.names.last?.contains("00000000000000000090") == true)
    }

    @Test(arguments: [
        "../secret.jsonl", "a/b.jsonl", ".hidden.jsonl", "x.txt", "", "é.jsonl", "..jsonl",
    ])
    func aNameThatCouldLeadElsewhereIsNoDeadLetter(_ name: String) throws {
        let fixture = try Fixture()
        #expect(Self.keep(Self.batch(), in: fixture))
        #expect(fixture.store.heading(of: name) == nil)
        #expect(!fixture.store.remove(name))
        #expect { try fixture.store.load(name) } throws: { ($0 as? SondeError)?.code == .deadLetterMissing }
    }

    @Test func anExactFormThatWasChangedIsNotOffered() throws {
        let fixture = try Fixture()
        #expect(Self.keep(Self.batch(), in: fixture))
        let name = try #require(fixture.store.names.first)
        let lines = try fixture.text(name).split(separator: "\n").map(String.init)
        let frame = lines[1]
        // Every character of the frame matters.
        for place in stride(from: 55, to: frame.count - 2, by: 7) {
            var changed = Array(frame.utf8)
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            try fixture.write(
                name,
                ([lines[0], String(decoding: changed, as: UTF8.self)] + lines[2...]).joined(separator: "\n") + "\n")
            #expect { try fixture.store.load(name) } throws: { ($0 as? SondeError)?.code == .deadLetterUnreadable }
        }
        try fixture.write(name, ([lines[0]] + lines[2...]).joined(separator: "\n") + "\n")
        #expect { try fixture.store.load(name) } throws: { ($0 as? SondeError)?.code == .deadLetterUnreadable }
    }
}
