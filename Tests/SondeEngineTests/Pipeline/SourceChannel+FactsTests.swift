import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// What snapshots compare, from the first reading on.
@Suite struct SourceChannelFactsTests {
    private let bench = PipelineBench()

    /// A reason of drops has no series before the first of them.
    @Test(arguments: [(0, 991.0), (-60, 0)] as [(Int64, Double)])
    func theFirstReadingOfAFactIsNewToo(_ start: Int64, _ packets: Double) {
        let book = SnapshotBook()
        let channel = bench.channel(book: book)
        let began = Timestamp(nanoseconds: bench.clock.wallTime.nanoseconds + start * 1_000_000_000)
        let open = { (name: String, attributes: [Attribute]) in
            channel.openSeries(
                SeriesSpecification(name: name, kind: .counter, unit: "{packet}", attributes: attributes, start: began))
        }
        let quiet = Sample(series: open("sonde.trace.tcp.reset.received", []), value: .unsigned(0))
        bench.clock.advance(by: .seconds(10))
        _ = channel.commit([quiet], checkpoint: nil, rejections: [])
        bench.clock.advance(by: .seconds(10))
        let full = open("sonde.drop.packet.count", [Attribute("sonde.drop.reason", "socket_rcvbuff")])
        _ = channel.commit([quiet, Sample(series: full, value: .unsigned(991))], checkpoint: nil, rejections: [])
        var snapshot = Snapshot(time: bench.clock.wallTime, host: nil, window: SnapshotBook.window)
        book.fill(&snapshot, at: bench.clock.monotonicTime)
        #expect(snapshot.drops?.packets == packets)
    }
}
