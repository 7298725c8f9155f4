import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// What a source reads, as history and snapshots get it.
@Suite struct SourceChannelReadingsTests {
    private let bench = PipelineBench()

    private func openReceivedBytes(_ channel: SourceChannel) -> UInt64 {
        channel.openSeries(
            SeriesSpecification(
                name: "system.network.io", kind: .counter, unit: "By",
                attributes: [
                    Attribute("network.interface.name", "eth0"), Attribute("network.io.direction", "receive"),
                ]))
    }

    @Test(arguments: [(0, 30.0), (-60, nil)] as [(Int64, Double?)])
    func theFirstReadingOfACounterIsNewWhereItBeganWithTheAgent(_ start: Int64, _ queries: Double?) {
        let book = SnapshotBook()
        let channel = bench.channel(book: book)
        let began = bench.clock.wallTime
        bench.clock.advance(by: .seconds(10))
        // Of a log, which may not tell of everything; what a capture has not told of did not happen.
        let read = channel.openSeries(
            SeriesSpecification(name: "sonde.dns.log.io", kind: .counter, unit: "By", attributes: []))
        _ = channel.commit([Sample(series: read, value: .unsigned(1))], checkpoint: nil, rejections: [])
        bench.clock.advance(by: .seconds(10))
        let handle = channel.openSeries(
            SeriesSpecification(
                name: "sonde.dns.resolver.query.count", kind: .counter, unit: "{query}", attributes: [],
                start: Timestamp(nanoseconds: began.nanoseconds + start * 1_000_000_000)))
        _ = channel.commit([Sample(series: handle, value: .unsigned(30))], checkpoint: nil, rejections: [])
        var snapshot = Snapshot(time: bench.clock.wallTime, host: nil, window: SnapshotBook.window)
        book.fill(&snapshot, at: bench.clock.monotonicTime)
        #expect(snapshot.dns?.joined?.queries == queries)
    }

    @Test func ofAFirstReadingInNoTimeThereIsNoRate() {
        let book = SnapshotBook()
        let channel = bench.channel(book: book)
        let read = channel.openSeries(SeriesSpecification(name: "sonde.dns.log.io", kind: .counter, unit: "By"))
        _ = channel.commit([Sample(series: read, value: .unsigned(1))], checkpoint: nil, rejections: [])
        let handle = channel.openSeries(
            SeriesSpecification(
                name: "sonde.dns.resolver.query.count", kind: .counter, unit: "{query}", start: bench.clock.wallTime))
        _ = channel.commit([Sample(series: handle, value: .unsigned(30))], checkpoint: nil, rejections: [])
        var snapshot = Snapshot(time: bench.clock.wallTime, host: nil, window: SnapshotBook.window)
        book.fill(&snapshot, at: bench.clock.monotonicTime)
        #expect(snapshot.dns?.joined?.queries == nil)
    }

    @Test(arguments: [(nil, 4), (0, 14), (-60, 4)] as [(Int64?, UInt64)])
    func aHistogramIsInHistoryFromItsFirstReadingOnWhereItBeganWithTheAgent(_ start: Int64?, _ events: UInt64) throws {
        let clock = bench.clock
        let record = RecordHistory(store: InMemoryHistoryStore(units: 4), clock: clock, log: bench.log)
        let channel = bench.channel(history: record)
        let began = clock.wallTime
        let handle = channel.openSeries(
            SeriesSpecification(
                name: "sonde.dns.resolver.response.duration", kind: .histogram, unit: "s",
                start: start.map { Timestamp(nanoseconds: began.nanoseconds + $0 * 1_000_000_000) }))
        for count: UInt64 in [10, 14] {
            clock.advance(by: .seconds(10))
            let counts = (0...LatencyCounts.bounds.count).map { $0 == 5 ? count : 0 }
            let histogram = try #require(
                HistogramValue(bounds: LatencyCounts.bounds, counts: counts, sum: Double(count)))
            _ = channel.commit([Sample(series: handle, value: .histogram(histogram))], checkpoint: nil, rejections: [])
        }
        let query = HistoryQuery(range: HistoryRange(.seconds(60), before: clock.wallTime), asked: clock.wallTime)
        let lines = try HistoryOf(record)(query, limit: 9).lines
        #expect(lines.map(\.series) == [HistorySeries(.dnsLatency, source: "kernel")])
        #expect(lines.first?.points.reduce(0) { $0 + ($1.value.latencies?.total ?? 0) } == events)
    }

    @Test func aRateIsBetweenTheStartsOfCallsHoweverLongTheyTake() throws {
        let clock = bench.clock
        let record = RecordHistory(store: InMemoryHistoryStore(units: 4), clock: clock, log: bench.log)
        let channel = bench.channel(history: record)
        let handle = openReceivedBytes(channel)
        for (read, took): (UInt64, Int64) in [(0, 400), (1_000, 0), (2_000, 100)] {
            channel.setTickTime((clock.wallTime, clock.monotonicTime))
            clock.advance(by: .milliseconds(took))
            _ = channel.commit([Sample(series: handle, value: .unsigned(read))], checkpoint: nil, rejections: [])
            clock.advance(by: .milliseconds(1_000 - took))
        }
        let query = HistoryQuery(range: HistoryRange(.seconds(60), before: clock.wallTime), asked: clock.wallTime)
        let points = try #require(HistoryOf(record)(query, limit: 9).lines.first).points.map(\.value)
        #expect(points.allSatisfy { $0.average == 1_000 }, "\(points)")
        #expect(points.reduce(0) { $0 + $1.weight } == 2_000_000)
    }

    @Test(arguments: [(20, [1_000]), (600, [1_000, 5_000])] as [(Int64, Set<Double>)])
    func whatIsReadSoonAfterACommitIsNoReadingOfHistoryAtTheStop(_ last: Int64, _ maxima: Set<Double>) throws {
        let clock = bench.clock
        let record = RecordHistory(store: InMemoryHistoryStore(units: 4), clock: clock, log: bench.log)
        let channel = bench.channel(history: record)
        let handle = openReceivedBytes(channel)
        var count: UInt64 = 0
        func commit(_ bytes: Int64, after milliseconds: Int64) {
            clock.advance(by: .milliseconds(milliseconds))
            count += UInt64(bytes)
            _ = channel.commit([Sample(series: handle, value: .unsigned(count))], checkpoint: nil, rejections: [])
        }
        for _ in 0..<3 { commit(1_000, after: 1_000) }
        channel.leaveOutOfHistory(within: .milliseconds(500))
        // The next step of history.
        commit(5_000, after: 5_000)
        commit(5 * last, after: last)
        let query = HistoryQuery(range: HistoryRange(.seconds(60), before: clock.wallTime), asked: clock.wallTime)
        let points = try #require(HistoryOf(record)(query, limit: 9).lines.first).points.map(\.value)
        #expect(Set(points.map(\.maximum)) == maxima)
    }
}
