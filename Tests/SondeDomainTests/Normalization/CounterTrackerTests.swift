import SondeDomain
import SondeTestKit
import Testing

@Suite struct CounterTrackerTests {
    private static let bootTime = Timestamp(seconds: 1_000)

    /// Observes one value a second.
    private func readings(_ values: [SampleValue], bits: Int? = 64) -> [CounterTracker.Reading] {
        var tracker = CounterTracker(start: Self.bootTime, bits: bits)
        return values.enumerated().map { index, value in
            tracker.observe(
                value,
                wall: Timestamp(seconds: 2_000 + Int64(index)),
                at: MonotonicInstant(nanoseconds: Int64(index) * 1_000_000_000)
            )
        }
    }

    @Test func theFirstReadingHasNoDeltaAndNoRate() {
        let first = readings([.unsigned(5)])[0]
        #expect(first.verdict == .first)
        #expect(first.delta == nil)
        #expect(first.rate == nil)
        #expect(first.start == Self.bootTime)
    }

    @Test func anIncreaseIsADeltaAndARatePerSecond() {
        let second = readings([.unsigned(5), .unsigned(25)])[1]
        #expect(second.verdict == .ok)
        #expect(second.delta == 20)
        #expect(second.rate == 20)
        #expect(second.elapsed == .seconds(1))
    }

    @Test func aValueThatStaysIsADeltaOfZero() {
        let second = readings([.unsigned(5), .unsigned(5)])[1]
        #expect(second.verdict == .ok)
        #expect(second.rate == 0)
    }

    @Test func largeIntegersLoseNothingInTheDelta() {
        #expect(readings([.unsigned(.max - 3), .unsigned(.max)])[1].delta == 3)
    }

    @Test(arguments: [(32, UInt64(UInt32.max)), (64, UInt64.max)])
    func goingPastTheEndOfAKnownWidthIsAWrap(bits: Int, top: UInt64) {
        let second = readings([.unsigned(top - 9), .unsigned(10)], bits: bits)[1]
        #expect(second.verdict == .wrap)
        #expect(second.delta == 20)
        // Of 32 bits nobody knows how often they have wrapped before; 64 bits hold no more, so the count starts anew.
        #expect(second.start != Self.bootTime)
    }

    @Test(arguments: [
        (32, UInt64(1) << 31, UInt64(10)), (32, 5_000_000_000, 10), (32, UInt64(UInt32.max), 1 << 31),
        (64, 1 << 40, 10), (64, UInt64.max, 1 << 63),
    ])
    func aDecreaseThatGoingOnCannotExplainIsAReset(bits: Int, old: UInt64, new: UInt64) {
        let second = readings([.unsigned(old), .unsigned(new)], bits: bits)[1]
        #expect(second.verdict == .reset)
        #expect(second.delta == nil)
        #expect(second.rate == nil)
    }

    @Test(arguments: [nil, 16, 0, -1])
    func withoutAKnownWidthADecreaseIsAReset(bits: Int?) {
        #expect(readings([.unsigned(.max), .unsigned(1)], bits: bits)[1].verdict == .reset)
    }

    @Test func aResetMovesTheStartToTheReadingBefore() {
        let all = readings([.unsigned(50), .unsigned(3), .unsigned(8)])
        #expect(all[1].start == Timestamp(seconds: 2_000))
        #expect(all[2].start == Timestamp(seconds: 2_000))
        #expect(all[2].delta == 5)
    }

    @Test func aResetAfterAStepBackOfTheWallClockDoesNotStartInTheFuture() {
        var tracker = CounterTracker(start: nil, bits: 64)
        _ = tracker.observe(.unsigned(9), wall: Timestamp(seconds: 9_000), at: MonotonicInstant(nanoseconds: 1))
        let reading = tracker.observe(
            .unsigned(1), wall: Timestamp(seconds: 100), at: MonotonicInstant(nanoseconds: 1_000_000_001))
        #expect(reading.start == Timestamp(seconds: 100))
    }

    @Test func noRateWhereNoTimeHasPassed() {
        var tracker = CounterTracker(start: nil, bits: 64)
        let time = MonotonicInstant(nanoseconds: 7)
        _ = tracker.observe(.unsigned(1), wall: Self.bootTime, at: time)
        let reading = tracker.observe(.unsigned(4), wall: Self.bootTime, at: time)
        #expect(reading.delta == 3)
        #expect(reading.rate == nil)
    }

    @Test func aStepOfTheWallClockChangesNoRate() {
        var tracker = CounterTracker(start: nil, bits: 64)
        _ = tracker.observe(.unsigned(0), wall: Timestamp(seconds: 1), at: MonotonicInstant(nanoseconds: 0))
        let reading = tracker.observe(
            .unsigned(10), wall: Timestamp(seconds: 9_000_000), at: MonotonicInstant(nanoseconds: 2_000_000_000))
        #expect(reading.rate == 5)
    }

    @Test func doublesCountTooAndTheirDecreaseIsAReset() {
        let all = readings([.double(1.5), .double(4), .double(0.5)])
        #expect(all.map(\.verdict) == [.first, .ok, .reset])
        #expect(all[1].delta == 2.5)
    }

    @Test func aRateThatADoubleCannotHoldIsLeftOut() {
        var tracker = CounterTracker(start: nil, bits: nil)
        _ = tracker.observe(.double(0), wall: Self.bootTime, at: MonotonicInstant(nanoseconds: 0))
        let reading = tracker.observe(
            .double(.greatestFiniteMagnitude), wall: Self.bootTime, at: MonotonicInstant(nanoseconds: 1))
        #expect(reading.rate == nil)
    }

    @Test(arguments: [32, 64])
    func randomReadingsNeverGiveANegativeOrImplausibleDelta(bits: Int) {
        var random = SeededGenerator(seed: UInt64(bits))
        let top = bits == 32 ? UInt64(UInt32.max) : .max
        var tracker = CounterTracker(start: nil, bits: bits)
        var previous: UInt64?
        for index in 0..<20_000 {
            let near = UInt64.random(in: 0...1_000, using: &random)
            let value = [near, top - near, UInt64.random(in: 0...top, using: &random)][Int(near % 3)]
            let reading = tracker.observe(
                .unsigned(value), wall: Self.bootTime, at: MonotonicInstant(nanoseconds: Int64(index) * 1_000_000))
            defer { previous = value }
            guard let previous else { continue }
            if value >= previous {
                #expect(reading.verdict == .ok)
            } else {
                #expect(reading.verdict != .ok)
                #expect(reading.delta.map { $0 <= Double(top / 4 + 1) } ?? true)
            }
            #expect((reading.delta ?? 0) >= 0 && (reading.rate ?? 0) >= 0)
            #expect((reading.delta == nil) == (reading.verdict == .reset))
        }
    }
}
