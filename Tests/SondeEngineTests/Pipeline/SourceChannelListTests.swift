import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// Lists of the heaviest, from the series of a source to the snapshot.
@Suite struct SourceChannelListTests {
    private let bench = PipelineBench(wants: .snapshots)
    private let book = SnapshotBook()
    private static let metric = "sonde.flow.top.peer.interval.io"

    private func channel(_ metrics: [MetricDefinition] = [], level: MetricLevel = .core) -> SourceChannel {
        SourceChannel(
            id: "wire",
            descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: "", metrics: metrics),
            labels: [], host: nil, pipeline: bench.pipeline, ledger: bench.ledger, log: bench.log, clock: bench.clock,
            level: level, listeners: .init(book: book))
    }

    private func open(
        _ channel: SourceChannel, _ name: String, _ attribute: Attribute, kind: MetricKind = .gauge
    ) -> UInt64 {
        channel.openSeries(
            SeriesSpecification(name: name, kind: kind, unit: "By", attributes: [attribute], level: .all))
    }

    private func peer(_ channel: SourceChannel, _ address: String) -> UInt64 {
        open(channel, Self.metric, Attribute("network.peer.address", address))
    }

    private func commit(_ channel: SourceChannel, _ values: [(UInt64, UInt64)]) {
        let samples = values.map { Sample(series: $0.0, value: .unsigned($0.1)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    private func list(_ name: String = "talkers.addresses") -> TopList? {
        var snapshot = Snapshot(time: bench.clock.wallTime, host: nil, window: SnapshotBook.window)
        book.fill(&snapshot, at: bench.clock.monotonicTime)
        return snapshot.lists.first { $0.name == name }
    }

    @Test func aListIsThereAlsoWhereItsSeriesAreNotSent() {
        let channel = channel()
        commit(channel, [(peer(channel, "192.0.2.1"), 10), (peer(channel, "192.0.2.2"), 30)])
        #expect(list()?.rows.map(\.label) == ["192.0.2.2", "192.0.2.1"])
        #expect(bench.points().isEmpty)
        let documents = bench.documents().map { String(decoding: $0.json, as: UTF8.self) }
        #expect(documents.count == 1 && documents.allSatisfy { $0.contains(#"{"label":"192.0.2.2","value":30,"#) })
    }

    @Test func whatHasLeftTheTopGoesWithTheNextCommitAndNotBefore() {
        let channel = channel()
        let (old, kept) = (peer(channel, "old"), peer(channel, "kept"))
        commit(channel, [(old, 10), (kept, 5)])
        channel.closeSeries(old)
        let new = peer(channel, "new")
        #expect(list()?.rows.map(\.label) == ["old", "kept"])
        commit(channel, [(new, 7), (kept, 6)])
        #expect(list()?.rows.map(\.label) == ["new", "kept"])
    }

    @Test func seriesThatOpenAndCloseWithoutACommitDoNotPileUp() {
        let channel = channel()
        commit(channel, [(peer(channel, "first"), 1)])
        for _ in 0..<20_000 { channel.closeSeries(peer(channel, "other")) }
        #expect(list()?.rows.map(\.label) == ["first"])
    }

    @Test func aListOfACounterIsOfTheInterval() {
        let channel = channel()
        let tcp = open(channel, "sonde.flow.io", Attribute("network.transport", "tcp"), kind: .counter)
        commit(channel, [(tcp, 1_000)])
        #expect(list("talkers.protocols") == nil)
        bench.clock.advance(by: .seconds(10))
        commit(channel, [(tcp, 1_500)])
        bench.clock.advance(by: .seconds(10))
        commit(channel, [(tcp, 1_700)])
        #expect(list("talkers.protocols")?.rows.map(\.value) == [200])
        #expect(list("talkers.protocols")?.interval == .seconds(10))
    }

    @Test func aListOfAnyPluginIsDeclaredInItsDescription() {
        let metric = MetricDefinition(
            "acme.shelf", .gauge, unit: "By", attributes: ["shelf", "sonde.top"], meaning: "Boxes.")
        for (metrics, rows) in [([metric], ["a"]), ([], nil)] as [([MetricDefinition], [String]?)] {
            book.forget(source: "wire")
            let channel = channel(metrics)
            commit(channel, [(open(channel, "acme.shelf", Attribute("shelf", "a")), 1)])
            #expect(list("acme.shelf")?.rows.map(\.label) == rows)
        }
    }

    @Test func aSourceThatIsGoneHasNoLists() {
        let channel = channel()
        commit(channel, [(peer(channel, "192.0.2.1"), 10)])
        book.forget(source: "wire")
        #expect(list() == nil)
    }
}
