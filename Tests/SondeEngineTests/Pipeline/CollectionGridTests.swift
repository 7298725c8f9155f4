import SondeDomain
import Testing

@testable import SondeEngine

@Suite struct CollectionGridTests {
    private func instant(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    /// One that collected first at a second, with an interval of a second.
    private func grid(phase: Nanoseconds = .zero) -> CollectionGrid {
        var grid = CollectionGrid(interval: .seconds(1), phase: phase)
        grid.begin(at: instant(1_000))
        return grid
    }

    @Test func theFirstCollectionIsDueAtOnce() {
        #expect(CollectionGrid(interval: .seconds(1)).nextWake == nil)
    }

    @Test func aCollectionThatTakesLongMovesNothing() {
        var grid = grid()
        #expect(grid.advance(after: instant(1_000), at: instant(1_700), tickPeriod: .zero) == 0)
        #expect(grid.nextWake == instant(2_000))
        #expect(grid.advance(after: instant(2_000), at: instant(2_001), tickPeriod: .zero) == 0)
        #expect(grid.nextWake == instant(3_000))
    }

    @Test func whatIsMissedIsCountedAndNotMadeUpFor() {
        var grid = grid()
        #expect(grid.advance(after: instant(1_000), at: instant(4_500), tickPeriod: .zero) == 3)
        #expect(grid.nextWake == instant(5_000))
    }

    @Test func thePhaseIsFromTheFirstCollectionToTheSecond() {
        var grid = grid(phase: .milliseconds(300))
        #expect(grid.advance(after: instant(1_000), at: instant(1_010), tickPeriod: .zero) == 0)
        #expect(grid.nextWake == instant(1_300))
        #expect(grid.advance(after: instant(1_300), at: instant(1_310), tickPeriod: .zero) == 0)
        #expect(grid.nextWake == instant(2_300))
    }

    @Test func theTickThatFallsTogetherWithACollectionIsLeftOut() {
        var grid = grid()
        _ = grid.advance(after: instant(1_000), at: instant(1_001), tickPeriod: .milliseconds(250))
        var wakes: [Int64] = []
        while let tick = grid.nextTick {
            wakes.append(tick.nanoseconds / 1_000_000)
            grid.advanceTick(after: tick, at: tick, period: .milliseconds(250))
        }
        #expect(wakes == [1_250, 1_500, 1_750])
        #expect(grid.nextWake == instant(2_000))
    }

    @Test func ticksThatWereMissedAreSkipped() {
        var grid = grid()
        _ = grid.advance(after: instant(1_000), at: instant(1_620), tickPeriod: .milliseconds(100))
        #expect(grid.nextWake == instant(1_700))
    }

    @Test func whatFailedComesBackInStepAndWhatNeverStartedDoesNot() {
        var grid = grid()
        grid.skip(to: instant(3_100))
        #expect(grid.nextWake == instant(4_000))
        grid.skip(to: instant(5_000))
        #expect(grid.nextWake == instant(5_000))
        grid.postpone(until: instant(5_300))
        #expect(grid.nextWake == instant(5_300))
        var fresh = CollectionGrid(interval: .seconds(1))
        fresh.skip(to: instant(3_100))
        #expect(fresh.nextWake == instant(3_100))
    }

    @Test func anIntervalOfNothingDoesNotDivideByIt() {
        var grid = CollectionGrid(interval: .zero)
        grid.begin(at: instant(1))
        _ = grid.advance(after: instant(1), at: instant(2), tickPeriod: .zero)
        #expect(grid.nextWake.map { $0 > instant(2) } == true)
    }
}
