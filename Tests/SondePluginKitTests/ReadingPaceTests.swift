import SondeDomain
import SondePluginKit
import Testing

/// How much of a processor a paced reader takes.
@Suite struct ReadingPaceTests {
    /// Works for `turn` at a time and rests as it is told; returns the share used over the span.
    private func share(_ percent: Double, turn: Nanoseconds, span: Nanoseconds, idle: Nanoseconds = .zero) throws
        -> Double
    {
        var pace = try #require(ReadingPace(percent: percent))
        let start = MonotonicInstant(nanoseconds: 5)
        var (now, used) = (start, Nanoseconds.seconds(7))
        #expect(pace.rest(at: now, used: used) == .zero)
        now = now.advanced(by: idle)
        let began = now
        while now.since(began) < span {
            now = now.advanced(by: turn)
            used = used + turn
            now = now.advanced(by: pace.rest(at: now, used: used))
        }
        return (used.seconds - 7) / now.since(began).seconds
    }

    @Test(arguments: [0.5, 2.0, 10.0, 50.0], [1, 20, 80] as [Int64])
    func aReaderThatNeverHasEnoughStaysWithinItsShare(percent: Double, milliseconds: Int64) throws {
        let share = try share(percent, turn: .milliseconds(milliseconds), span: .seconds(120))
        #expect(share <= percent / 100 * 1.02 + 0.001)
        #expect(share >= percent / 100 * 0.9)
    }

    @Test func timeWithoutWorkIsNotSavedUp() throws {
        #expect(try share(2, turn: .milliseconds(1), span: .seconds(30), idle: .seconds(3_600)) <= 0.022)
    }

    @Test func aReaderBelowItsShareNeverRests() throws {
        var pace = try #require(ReadingPace(percent: 10))
        for second in 0..<100 {
            let rest = pace.rest(
                at: MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000),
                used: .milliseconds(Int64(second) * 90))
            #expect(rest == .zero)
        }
    }

    @Test(arguments: [100.0, 150, 0, -1, .nan])
    func withoutAShareThereIsNoPace(percent: Double) {
        #expect(ReadingPace(percent: percent) == nil)
    }

    @Test func aRestIsNeverEndless() throws {
        var pace = try #require(ReadingPace(percent: 0.01))
        _ = pace.rest(at: MonotonicInstant(nanoseconds: 0), used: .zero)
        #expect(pace.rest(at: MonotonicInstant(nanoseconds: 1), used: Nanoseconds(.max)) <= .seconds(60))
        #expect(pace.rest(at: MonotonicInstant(nanoseconds: 0), used: .zero) <= .seconds(60))
    }
}
