import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// A clock that shows a time which is over, and one that was not set since boot.
@Suite struct SteppedBackTests {
    private static let noon: Int64 = 1_795_003_200
    private static let hour: Int64 = 3_600

    private func seconds(_ bench: ClockBench) -> [Int64] {
        bench.points().map { ($0.time.nanoseconds / 1_000_000_000) - Self.noon }
    }

    private func bench(
        _ wall: Int64 = noon, boot: Int64 = 90_000, recorded: Int64? = nil, isSynchronized: Bool? = nil
    ) -> ClockBench {
        ClockBench(
            wall: Timestamp(seconds: wall), boot: .seconds(boot), recorded: recorded.map { Timestamp(seconds: $0) },
            isSynchronized: isSynchronized)
    }

    private func run(_ bench: ClockBench) -> (UInt64) -> CommitResult {
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        return { bench.commit(channel, gauge, $0) }
    }

    @Test func aClockThatGoesBackThreeHoursAndReturnsLeavesNoMark() {
        let bench = bench()
        let commit = run(bench)
        _ = commit(1)
        bench.clock.advance(by: .seconds(10))
        bench.clock.stepWall(by: .seconds(-3 * Self.hour))
        for value in 2...3 as ClosedRange<UInt64> {
            _ = commit(value)
            bench.clock.advance(by: .seconds(10))
        }
        #expect(bench.points().count == 1)
        #expect(bench.hold.failures.map(\.error.code) == [.clockSuspect])
        bench.clock.stepWall(by: .seconds(3 * Self.hour))
        _ = commit(4)
        #expect(seconds(bench) == [0, 10, 20, 30])
        #expect(bench.hold.failures.isEmpty)
    }

    @Test func aClockThatStaysBackIsTakenForRightAfterFiveMinutes() {
        let bench = bench()
        let commit = run(bench)
        _ = commit(1)
        bench.clock.stepWall(by: .seconds(-3 * Self.hour))
        for value in 2...31 as ClosedRange<UInt64> {
            _ = commit(value)
            bench.clock.advance(by: .seconds(10))
        }
        #expect(bench.points().count == 1)
        _ = commit(32)
        #expect(seconds(bench) == [0] + (0...30).map { $0 * 10 - 3 * Self.hour })
        #expect(bench.hold.failures.isEmpty)
    }

    @Test func aClockThatATimeDaemonHasSetBackIsRight() {
        let bench = bench(isSynchronized: true)
        let commit = run(bench)
        _ = commit(1)
        bench.clock.stepWall(by: .seconds(-3 * Self.hour))
        _ = commit(2)
        #expect(seconds(bench) == [0, -3 * Self.hour])
    }

    @Test(arguments: [-2, 5, 100_000] as [Int64])
    func aSmallStepBackAndAnyStepForwardAreFollowed(_ step: Int64) {
        let bench = bench()
        let commit = run(bench)
        _ = commit(1)
        bench.clock.advance(by: .seconds(1))
        bench.clock.stepWall(by: .seconds(step))
        _ = commit(2)
        #expect(seconds(bench) == [0, 1 + step])
        #expect(bench.hold.failures.isEmpty)
    }

    @Test func aStartBehindWhatIsRecordedWaitsUntilTheClockHasPassedIt() throws {
        let bench = bench(recorded: Self.noon + 60)
        let commit = run(bench)
        _ = commit(1)
        #expect(bench.points().isEmpty)
        let message = try #require(bench.hold.failures.first).error.message
        #expect(message.contains("which is before 2026-11-18T12:01:00.000Z, up to which samples are recorded"))
        bench.clock.advance(by: .seconds(60))
        _ = commit(2)
        #expect(seconds(bench) == [0, 60])
    }

    private final class Calls: Sendable { let count = Atomic(0) }

    @Test func whatWasRecordedIsPutRightOnceTheClockIsTakenForRight() {
        let calls = Calls()
        let bench = ClockBench(
            wall: Timestamp(seconds: Self.noon), boot: .seconds(90_000),
            recorded: Timestamp(seconds: Self.noon + Self.hour)
        ) {
            calls.count.add(1, ordering: .relaxed)
        }
        let commit = run(bench)
        for (wait, times) in [(0, 0), (299, 0), (2, 1), (300, 1)] {
            bench.clock.advance(by: .seconds(Int64(wait)))
            _ = commit(1)
            #expect(calls.count.load(ordering: .relaxed) == times)
        }
    }

    @Test func aClockThatNoDaemonHasSetSinceBootIsWaitedFor() {
        let bench = bench(Self.noon - 9 * Self.hour, boot: 20, isSynchronized: false)
        let commit = run(bench)
        _ = commit(1)
        bench.clock.advance(by: .seconds(30))
        bench.clock.stepWall(to: Timestamp(seconds: Self.noon))
        bench.clock.isSynchronized = true
        _ = commit(2)
        #expect(seconds(bench) == [-30, 0])
        #expect(bench.log.lines(.error).isEmpty)
    }

    @Test func aClockAheadAtBootIsPutRightAndItsTimesAreRightTheSecondTime() {
        let bench = bench(Self.noon + 2 * Self.hour, boot: 20, isSynchronized: false)
        let commit = run(bench)
        _ = commit(1)
        bench.clock.advance(by: .seconds(30))
        bench.clock.stepWall(by: .seconds(-2 * Self.hour))
        _ = commit(2)
        bench.clock.advance(by: .seconds(2 * Self.hour))
        _ = commit(3)
        #expect(seconds(bench) == [0, 30, 30 + 2 * Self.hour])
    }

    @Test func aClockThatIsAheadByLessThanIsHeldLeavesOrderAndDistances() {
        let bench = bench(Self.noon + 60, boot: 20, isSynchronized: false)
        let commit = run(bench)
        for value in 1...10 as ClosedRange<UInt64> {
            _ = commit(value)
            bench.clock.advance(by: .seconds(10))
        }
        bench.clock.stepWall(by: .seconds(-60))
        _ = commit(11)
        #expect(seconds(bench) == (0...10).map { $0 * 10 })
    }

    @Test func aHostWithoutATimeDaemonWaitsThreeMinutesAfterBootAndNoLonger() {
        let bench = bench(boot: 20, isSynchronized: false)
        let commit = run(bench)
        _ = commit(1)
        bench.clock.advance(by: .seconds(150))
        _ = commit(2)
        #expect(bench.points().isEmpty)
        bench.clock.advance(by: .seconds(10))
        _ = commit(3)
        #expect(seconds(bench) == [0, 150, 160])
        bench.clock.advance(by: .seconds(10))
        _ = commit(4)
        #expect(seconds(bench).last == 170)
        #expect(bench.log.lines(.error).isEmpty)
    }

    @Test func aClockThatStandsStillIn1970TakesNoMoreAndMoreMemory() throws {
        let clock = ManualClock(wall: Timestamp(seconds: 40), monotonic: MonotonicInstant(nanoseconds: 40_000_000_000))
        var check = ClockCheck(release: ClockBench.release, recorded: nil, first: .init(clock)) { nil }
        for _ in 0..<100 {
            clock.advance(by: .seconds(10))
            clock.stepWall(by: .seconds(-10))
            check.observe(.init(clock)) { nil }
        }
        let past = try #require(Mirror(reflecting: check).descendant("past"))
        #expect(Mirror(reflecting: past).children.count == 16)
    }

    @Test func aClockOfWhichNothingIsKnownIsNotWaitedFor() {
        let bench = bench(boot: 20)
        let commit = run(bench)
        _ = commit(1)
        #expect(seconds(bench) == [0])
    }
}
