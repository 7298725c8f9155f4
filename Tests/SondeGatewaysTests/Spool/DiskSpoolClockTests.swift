import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine
@testable import SondeGateways

/// A log on disk of an agent that was started in 1970.
@Suite struct DiskSpoolClockTests {
    private static let today = Timestamp(seconds: 1_795_003_200)

    private func run(_ fixture: SpoolFixture, epoch: Int) throws -> (spool: DiskSpool, channel: SourceChannel) {
        let (log, clock) = (RecordingLog(), fixture.clock)
        let ledger = LossLedger(log: log)
        let spool = try fixture.openWithReader(epoch: epoch)
        let hold = ClockHold(
            release: Timestamp(seconds: 1_793_491_200), recorded: nil, clock: clock, ledger: ledger, log: log)
        let channel = SourceChannel(
            id: "log", descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""),
            labels: [], host: nil, pipeline: Pipeline(spool: spool, ledger: ledger, clock: clock, hold: hold),
            ledger: ledger, log: log, clock: clock)
        return (spool, channel)
    }

    private func commit(_ value: UInt64, on channel: SourceChannel) {
        let handle = channel.openSeries(SeriesSpecification(name: "line", kind: .gauge, unit: "1"))
        let sample = Sample(series: handle, value: .unsigned(value))
        #expect(channel.commit([sample], checkpoint: [UInt8(value)], rejections: []) == .taken)
    }

    private func step(_ fixture: SpoolFixture, to time: Timestamp) {
        fixture.clock.stepWall(by: Nanoseconds(time.nanoseconds - fixture.clock.wallTime.nanoseconds))
    }

    @Test func aKilledAgentHasNotMovedTheCheckpointPastWhatItHeld() throws {
        let fixture = SpoolFixture()
        step(fixture, to: Timestamp(seconds: 40))
        let (log, channel) = try run(fixture, epoch: 1)
        commit(7, on: channel)
        #expect(log.checkpoint(of: "log") == nil)
        fixture.disk.killProcess()
        step(fixture, to: Self.today)
        let (spool, next) = try run(fixture, epoch: 2)
        #expect(next.loadCheckpoint() == nil)
        // The source reads it again.
        commit(7, on: next)
        #expect(spool.drain("a") == [7])
        #expect(next.loadCheckpoint() == [7])
    }

    @Test func whatWasHeldIsNotTooOldAtTheNextStart() throws {
        let fixture = SpoolFixture()
        step(fixture, to: Timestamp(seconds: 40))
        let (first, channel) = try run(fixture, epoch: 1)
        first.sync()
        commit(1, on: channel)
        step(fixture, to: Self.today)
        for value in 2...4 as ClosedRange<UInt64> {
            commit(value, on: channel)
            // A segment each.
            first.resource = Resource(agentVersion: "\(value)")
        }
        first.sync()
        fixture.disk.killProcess()
        let (spool, next) = try run(fixture, epoch: 2)
        commit(5, on: next)
        for _ in 0..<2 { spool.sync() }
        #expect(spool.takeLosses().isEmpty)
        #expect(spool.drain("a") == [1, 2, 3, 4, 5])
    }
}
