import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// How the agent is now goes ahead of a backlog, in requests of its own.
@Suite struct DeliverBatchesHealthTests {
    private static let up = Series(
        id: SeriesID(rawValue: 1_000), source: "agent", name: "sonde.sink.up", kind: .gauge, unit: "")
    private static let sent = Series(
        id: SeriesID(rawValue: 1_001), source: "agent", name: "sonde.sink.point.sent", kind: .counter, unit: "{point}")

    private static func points(_ value: UInt64, at time: Timestamp) -> [SpooledPoint] {
        [
            SpooledPoint(series: up, time: time, start: nil, value: .unsigned(value)),
            SpooledPoint(series: sent, time: time, start: time, value: .unsigned(value)),
        ]
    }

    private final class Receiver: Sendable {
        let batches = Mutex<[Batch]>([])
        let isDown = Mutex(true)
        let newest = Mutex<[SpooledPoint]>([])

        func values(of series: Series) -> [SampleValue] {
            batches.withLock { $0 }.flatMap { batch in
                batch.entries.filter { batch.series[$0.seriesIndex].name == series.name }.map(\.point.value)
            }
        }

        func times(of series: Series) -> [Timestamp] {
            batches.withLock { $0 }.flatMap { batch in
                batch.entries.filter { batch.series[$0.seriesIndex].name == series.name }.map(\.point.time)
            }
        }
    }

    /// A sink whose receiver was away for ten minutes in which the agent reported twice a minute.
    private func outage(_ receiver: Receiver, samples: Int = 20) -> SinkBench {
        let bench = SinkBench(.fake(samples: samples)) { batch, _, _ throws(SondeError) in
            if receiver.isDown.withLock({ $0 }) { throw .fake(.transient) }
            receiver.batches.withLock { $0.append(batch) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.useCase.sendAhead {
            SpoolContents(
                resource: Resource(host: "h"), last: 0, points: SpooledPoints(receiver.newest.withLock { $0 }))
        }
        for number in 1...20 { report(UInt64(number), bench, receiver) }
        return bench
    }

    private func report(_ number: UInt64, _ bench: SinkBench, _ receiver: Receiver) {
        let points = Self.points(number, at: bench.clock.wallTime)
        receiver.newest.withLock { $0 = points }
        _ = bench.pipeline.submit(points + (0..<20).map { .numbered($0) }, documents: [])
        bench.run(for: .seconds(30))
    }

    @Test func afterAnOutageTheCentreKnowsAtOnceHowTheAgentIs() throws {
        let receiver = Receiver()
        let bench = outage(receiver)
        receiver.isDown.withLock { $0 = false }
        while receiver.batches.withLock({ $0.count }) < 3 { bench.run(for: .seconds(1)) }
        // The first batch shows that the receiver is back, the second one is ahead.
        let ahead = try #require(receiver.batches.withLock { $0.dropFirst().first })
        #expect(ahead.identity.epoch == "epoch-now" && ahead.series.map(\.name) == ["sonde.sink.up"])
        #expect(ahead.entries.map(\.point.value) == [.unsigned(20)])
        #expect(bench.useCase.waiting > 300)
        while bench.useCase.waiting > 0 { bench.run(for: .seconds(1)) }
        // Of the gauge nothing older followed, of the counter everything did.
        let times = receiver.times(of: Self.up)
        #expect(times == times.sorted() && receiver.values(of: Self.up).last == .unsigned(20))
        #expect(receiver.values(of: Self.sent) == (1...20).map { .unsigned($0) })
        #expect(bench.ledger.total == 0)
    }

    @Test func whileABacklogIsDrainedTheNewestValueGoesAheadOncePerPace() {
        let receiver = Receiver()
        let bench = outage(receiver, samples: 5)
        receiver.isDown.withLock { $0 = false }
        while receiver.batches.withLock({ $0.count }) < 3 { bench.run(for: .seconds(1)) }
        for number in 21...24 { report(UInt64(number), bench, receiver) }
        let ahead = receiver.batches.withLock { $0.filter { $0.identity.epoch == "epoch-now" } }
        #expect(
            ahead.compactMap { $0.entries.first?.point.value }.suffix(3) == [
                .unsigned(22), .unsigned(23), .unsigned(24),
            ])
        #expect(Set(ahead.map(\.identity)).count == ahead.count)
    }

    @Test func aSinkThatIsNotBehindHasNoRequestOfItsOwn() {
        let receiver = Receiver()
        receiver.isDown.withLock { $0 = false }
        let bench = outage(receiver)
        #expect(receiver.batches.withLock { $0.allSatisfy { $0.identity.epoch == "epoch" } })
        #expect(receiver.values(of: Self.up).count == 20)
        #expect(bench.useCase.waiting == 0)
    }

    @Test func atTheStopTheLastValueGoesAheadOfWhatStays() throws {
        let receiver = Receiver()
        let bench = outage(receiver)
        receiver.isDown.withLock { $0 = false }
        while receiver.batches.withLock({ $0.count }) < 3 { bench.run(for: .seconds(1)) }
        let points = Self.points(99, at: bench.clock.wallTime)
        receiver.newest.withLock { $0 = points }
        _ = bench.pipeline.submit(points, documents: [])
        let before = receiver.batches.withLock { $0.count }
        _ = bench.useCase.step(draining: true)
        let first = try #require(receiver.batches.withLock { $0.dropFirst(before).first })
        #expect(first.entries.map(\.point.value) == [.unsigned(99)])
    }
}
