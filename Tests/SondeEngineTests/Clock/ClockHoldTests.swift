import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// What is committed while the wall clock is wrong.
@Suite struct ClockHoldTests {
    private static let today = Timestamp(seconds: 1_795_000_000)
    private static let hour: Int64 = 3_600

    private static func seconds(_ time: Timestamp?) -> Int64? { time.map { $0.nanoseconds / 1_000_000_000 } }

    // MARK: A host without a battery

    @Test func whatIsCommittedIn1970IsHeldAndStampedOnceTheClockIsRightInOrder() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        for value in 1...3 as ClosedRange<UInt64> {
            #expect(bench.commit(channel, gauge, value) == .taken)
            bench.clock.advance(by: .seconds(10))
        }
        #expect(bench.points().isEmpty)
        bench.clock.stepWall(to: Self.today)
        #expect(bench.commit(channel, gauge, 4) == .taken)
        #expect(bench.points().map(\.value) == (1...4).map { .unsigned($0) })
        let now = Self.today.nanoseconds / 1_000_000_000
        #expect(bench.points().map { Self.seconds($0.time) } == [now - 30, now - 20, now - 10, now])
        bench.clock.advance(by: .seconds(10))
        _ = bench.commit(channel, gauge, 5)
        #expect(Self.seconds(bench.points().last?.time) == now + 10)
    }

    @Test func aStartThatWasReadIn1970IsPutRightInEveryPoint() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let began = bench.clock.wallTime
        let counter = SeriesSpecification(
            name: "test.counter", kind: .counter, unit: "1", attributes: [], start: Timestamp(seconds: 0))
        let handle = channel.openSeries(counter)
        _ = bench.commit(channel, handle, 7)
        bench.clock.advance(by: .seconds(20))
        bench.clock.stepWall(to: Self.today)
        _ = bench.commit(channel, handle, 9)
        // A source that keeps what it read at its start, and opens a series later.
        var late = counter
        late.attributes = [Attribute("late", "1")]
        late.start = began
        let other = channel.openSeries(late)
        bench.clock.advance(by: .seconds(3_600))
        _ = bench.commit(channel, other, 1)
        // A reset: the count began between the two readings.
        _ = bench.commit(channel, handle, 0)
        let now = Self.today.nanoseconds / 1_000_000_000
        #expect(bench.points().map { Self.seconds($0.start) } == [now - 60, now - 60, now - 20, now])
    }

    @Test func aClockThatIsSetWhileASourceIsReadStampsNothingWith1970() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        channel.setTickTime((bench.clock.wallTime, bench.clock.monotonicTime))
        bench.clock.advance(by: .seconds(2))
        bench.clock.stepWall(to: Self.today)
        _ = bench.commit(channel, gauge, 1)
        #expect(Self.seconds(bench.points().first?.time) == Self.today.nanoseconds / 1_000_000_000 - 2)
    }

    @Test func timesThatASourceReadsInAFileAreKeptUnlessTheyAreOfTheWrongClock() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        let before = Timestamp(seconds: 1_794_000_000)
        let samples = [
            Sample(series: gauge, time: before, value: .unsigned(1)),
            Sample(series: gauge, time: Timestamp(seconds: 30), value: .unsigned(2)),
            Sample(series: gauge, time: Timestamp(seconds: 4_000_000_000), value: .unsigned(3)),
        ]
        _ = channel.commit(samples, checkpoint: nil, rejections: [])
        bench.clock.stepWall(to: Self.today)
        _ = channel.commit([], checkpoint: nil, rejections: [])
        let now = Self.today.nanoseconds / 1_000_000_000
        #expect(bench.points().map { Self.seconds($0.time) } == [before.nanoseconds / 1_000_000_000, now - 10])
        #expect(bench.ledger.count(component: "kernel", reason: "impossible_time") == 1)
    }

    @Test func aClockThatIsSetInTwoStepsStampsBothStretches() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        _ = bench.commit(channel, gauge, 1)
        bench.clock.advance(by: .seconds(10))
        bench.clock.stepWall(to: Timestamp(seconds: 1_600_000_000))
        _ = bench.commit(channel, gauge, 2)
        bench.clock.advance(by: .seconds(10))
        bench.clock.stepWall(to: Self.today)
        _ = bench.commit(channel, gauge, 3)
        let now = Self.today.nanoseconds / 1_000_000_000
        #expect(bench.points().map { Self.seconds($0.time) } == [now - 20, now - 10, now])
    }

    @Test func sourcesThatCommitWhileTheClockIsSetLoseNothingAndKeepTheirOrder() async {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let values = 0..<500 as Range<UInt64>
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let channel = bench.channel("source \(number)")
                    let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
                    for value in values {
                        #expect(bench.commit(channel, gauge, value) == .taken)
                        if number == 0, value == 250 { bench.clock.stepWall(to: Self.today) }
                    }
                }
            }
        }
        #expect(bench.ledger.all.isEmpty)
        let points = bench.points()
        #expect(points.allSatisfy { $0.time == Self.today })
        for number in 0..<4 {
            let own = points.filter { $0.series.source == "source \(number)" }
            #expect(own.map(\.value) == values.map { .unsigned($0) })
        }
    }

    @Test func aSourceThatIsMadeAgainGoesOnAfterWhatIsHeld() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        for value in 1...2 as ClosedRange<UInt8> {
            let samples = [Sample(series: gauge, value: .unsigned(UInt64(value)))]
            _ = channel.commit(samples, checkpoint: [value], rejections: [])
        }
        #expect(bench.channel().loadCheckpoint() == [2])
        #expect(bench.channel("other").loadCheckpoint() == nil)
        bench.clock.stepWall(to: Self.today)
        _ = channel.commit([], checkpoint: nil, rejections: [])
        #expect(bench.channel().loadCheckpoint() == [2])
    }

    // MARK: Points that are in no log

    @Test func pointsOfTheWrongClockArePutRightOnceItIsSet() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        var point = SpooledPoint.numbered(50)
        point.start = bench.clock.wallTime
        bench.clock.advance(by: .seconds(20))
        #expect(bench.hold.corrected([point]).map { Self.seconds($0.time) } == [50])
        bench.clock.stepWall(to: Self.today)
        let isRight = bench.hold.isRight {}
        #expect(isRight)
        let now = Self.today.nanoseconds / 1_000_000_000
        let right = bench.hold.corrected([point])
        #expect(right.map { Self.seconds($0.time) } == [now - 10])
        #expect(right.map { Self.seconds($0.start) } == [now - 20])
        #expect(right.map(\.number) == [50])
    }

    @Test func pointsOfAClockThatWasAheadArePutRightUntilTheirTimeHasCome() {
        let now = Self.today.nanoseconds / 1_000_000_000
        let bench = ClockBench(
            wall: Timestamp(seconds: now + 2 * Self.hour), boot: .seconds(20), recorded: nil, isSynchronized: false)
        bench.clock.advance(by: .seconds(10))
        var point = SpooledPoint.numbered(1)
        point.time = bench.clock.wallTime
        bench.clock.advance(by: .seconds(20))
        bench.clock.stepWall(by: .seconds(-2 * Self.hour))
        _ = bench.hold.isRight {}
        #expect(bench.hold.corrected([point]).map { Self.seconds($0.time) } == [now + 10])
        bench.clock.advance(by: .seconds(2 * Self.hour))
        #expect(bench.hold.corrected([point]).map { Self.seconds($0.time) } == [now + 2 * Self.hour + 10])
    }

    @Test func pointsOfAClockThatWasNeverWrongStayAsTheyAre() {
        let bench = ClockBench(wall: Self.today, boot: .seconds(90_000), recorded: nil)
        #expect(bench.hold.corrected([.numbered(50)]).map { Self.seconds($0.time) } == [50])
    }

    // MARK: Bounds and losses

    @Test func checkpointsAreWithinTheBound() {
        var held = HeldCommits()
        let longest = SpoolCheckpoint(source: "log", bytes: [UInt8](repeating: 1, count: 64 << 10))
        var dropped = 0
        for _ in 0..<100 { dropped += held.append(SourceCommit(points: [], checkpoint: longest)).count }
        #expect(held.commits.count + dropped == 100)
        #expect(held.commits.count < 64)
    }

    @Test func whatComesAfterTheStopIsNotHeld() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        bench.pipeline.close()
        // As from a source that passed the closed pipeline's check before.
        #expect(bench.hold.pass(SourceCommit(points: [])) { _, _ in .taken } == .stopping)
    }

    @Test func whatDoesNotFitIsDroppedOldestFirstAndIsInTheLedger() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        let total = 60_000 as UInt64
        for value in stride(from: 0 as UInt64, to: total, by: 100) {
            let samples = (value..<(value + 100)).map { Sample(series: gauge, value: .unsigned($0)) }
            #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        }
        bench.clock.stepWall(to: Self.today)
        _ = channel.commit([], checkpoint: nil, rejections: [])
        let points = bench.points()
        let lost = bench.ledger.count(component: "kernel", reason: "clock_suspect")
        #expect(points.count > 45_000 && lost > 0)
        #expect(UInt64(points.count) + lost == total)
        #expect(points.map(\.value) == (lost..<total).map { .unsigned($0) })
    }

    @Test(arguments: [nil, [1]] as [[UInt8]?])
    func aStopIn1970LosesWhatIsHeldAndCountsIt(_ checkpoint: [UInt8]?) {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        _ = channel.commit([Sample(series: gauge, value: .unsigned(1))], checkpoint: checkpoint, rejections: [])
        bench.pipeline.close()
        #expect(bench.points().isEmpty)
        // The log is in memory: a checkpoint does not outlive it.
        #expect(bench.ledger.count(component: "kernel", reason: "clock_suspect") == 1)
    }

    @Test func aStopAfterTheClockWasSetLosesNothing() {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        _ = bench.commit(channel, gauge, 1)
        bench.clock.stepWall(to: Self.today)
        bench.pipeline.close()
        #expect(bench.points().map(\.time) == [Self.today])
        #expect(bench.ledger.all.isEmpty)
    }

    @Test func whatALogWithoutRoomRefusesStaysHeldAndWhatIsNewWaits() {
        let bench = ClockBench(
            wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil, maxBytes: 500, overflow: .dropNewest)
        let channel = bench.channel()
        channel.holdWhatIsRefused()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        for value in 1...4 as ClosedRange<UInt64> { _ = bench.commit(channel, gauge, value) }
        bench.clock.stepWall(to: Self.today)
        #expect(bench.commit(channel, gauge, 5) == .busy)
        #expect(bench.take() == [.unsigned(1), .unsigned(2)])
        #expect(bench.commit(channel, gauge, 5) == .busy)
        #expect(bench.take() == [.unsigned(3), .unsigned(4)])
        #expect(bench.commit(channel, gauge, 5) == .taken)
        #expect(bench.take() == [.unsigned(5)])
    }

    // MARK: What is shown

    @Test func aClockInThePastIsShownUntilItIsRight() throws {
        let bench = ClockBench(wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil)
        let channel = bench.channel()
        let gauge = channel.openSeries(.init(name: "test.gauge", kind: .gauge, unit: "1"))
        _ = bench.commit(channel, gauge, 1)
        let failure = try #require(bench.hold.failures.first)
        #expect(failure.error.code == .clockSuspect)
        #expect(
            failure.error.message == "the clock shows 1970-01-01T00:00:40.000Z, which is before "
                + "2026-11-01T00:00:00.000Z, the year of this release: samples are held and stamped when it is right, "
                + "1 so far")
        #expect(bench.log.lines(.error).map(\.error?.code) == [.clockSuspect])
        bench.clock.stepWall(to: Self.today)
        _ = bench.commit(channel, gauge, 2)
        #expect(bench.hold.failures.isEmpty)
        #expect(bench.log.lines(.info).map(\.message).contains { $0.contains("1 samples were held") })
    }

    @Test func historyHasAGapAndSinksGetNoSnapshotsWhileTheClockIsWrong() throws {
        let bench = ClockBench(
            wall: Timestamp(seconds: 40), boot: .seconds(40), recorded: nil, wants: [.metrics, .snapshots])
        let record = RecordHistory(store: InMemoryHistoryStore(units: 4), clock: bench.clock, log: bench.log)
        let channel = bench.channel(history: record)
        let sockets = channel.openSeries(
            .init(name: "sonde.kernel.sockstat.tcp.inuse", kind: .gauge, unit: "{socket}"))
        _ = bench.commit(channel, sockets, 1)
        bench.clock.stepWall(to: Self.today)
        #expect(bench.documents().isEmpty)
        _ = bench.commit(channel, sockets, 2)
        #expect(bench.documents().count == 1)
        let early = HistoryQuery(
            range: HistoryRange(.seconds(3_600), before: Timestamp(seconds: 100)), asked: Self.today)
        #expect(try HistoryOf(record)(early, limit: 9).lines.isEmpty)
    }
}
