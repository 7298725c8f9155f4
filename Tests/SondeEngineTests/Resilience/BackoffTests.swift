import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct BackoffTests {
    private let backoff = Backoff(base: .seconds(1), cap: .seconds(60))

    @Test(arguments: [(1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 60), (16, 60), (17, 60), (.max, 60)])
    func theCeilingDoublesUpToTheCap(failures: Int, seconds: Int64) {
        #expect(backoff.ceiling(failures: failures) == .seconds(seconds))
    }

    @Test(arguments: [0, -1, Int.min])
    func withoutFailuresTheCeilingIsTheBase(failures: Int) {
        #expect(backoff.ceiling(failures: failures) == .seconds(1))
    }

    @Test func everyDelayLiesBetweenBaseAndCeilingAndReachesBothEnds() {
        var random = SeededGenerator(seed: 1)
        for failures in 1...8 {
            let ceiling = backoff.ceiling(failures: failures)
            let delays = (0..<2_000).map { _ in backoff.delay(failures: failures, retryAfter: nil, using: &random) }
            #expect(delays.allSatisfy { $0 >= .seconds(1) && $0 <= ceiling })
            let width = ceiling.value - Nanoseconds.seconds(1).value
            #expect(delays.contains { $0.value < Nanoseconds.seconds(1).value + width / 10 })
            #expect(delays.contains { $0.value > ceiling.value - width / 10 })
        }
    }

    @Test(arguments: [(1, 5), (30, 30), (300, 60), (900, 60)] as [(Int64, Int64)])
    func jitterComesOnlyAfterWhatTheServerAsked(asked: Int64, spread: Int64) {
        var random = SeededGenerator(seed: UInt64(asked))
        let own = backoff.ceiling(failures: 1)
        let delays = (0..<2_000).map { _ in
            backoff.delay(failures: 1, retryAfter: .seconds(asked), using: &random)
        }
        #expect(delays.allSatisfy { $0 >= .seconds(asked) })
        #expect(delays.allSatisfy { $0 <= max(own, .seconds(asked)) + .seconds(spread) })
        #expect(Set(delays).count > 1_900)
    }

    @Test func theServersWishIsHeededForFifteenMinutesAtMost() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let delay = backoff.delay(failures: 1, retryAfter: Nanoseconds(.max), using: &random)
            #expect(delay >= .seconds(900) && delay <= .seconds(960))
        }
    }

    @Test(arguments: [Int64.min, -1, 0])
    func aWishOfNothingIsNoWish(wish: Int64) {
        var random = SeededGenerator(seed: 5)
        let delays = (0..<500).map { _ in backoff.delay(failures: 1, retryAfter: Nanoseconds(wish), using: &random) }
        #expect(delays.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(2) })
    }

    @Test func hostsThatFailInTheSameInstantComeBackSpread() {
        var seconds: [Int64: Int] = [:]
        for host in 0..<10_000 as Range<UInt64> {
            var random = SeededGenerator(seed: host)
            let delay = backoff.delay(failures: 6, retryAfter: nil, using: &random)
            seconds[delay.value / 1_000_000_000, default: 0] += 1
        }
        #expect((seconds.values.max() ?? 0) < 400)
    }

    @Test(arguments: [(Int64.max, Int64.max), (.min, .min), (0, 0), (.max, 1), (1, .max)])
    func anyConfigurationGivesAPositiveWait(base: Int64, cap: Int64) {
        var random = SeededGenerator(seed: 9)
        let backoff = Backoff(base: Nanoseconds(base), cap: Nanoseconds(cap))
        for failures in [0, 1, 16, 1_000] {
            let delay = backoff.delay(failures: failures, retryAfter: Nanoseconds(.max), using: &random)
            #expect(delay > .zero)
        }
    }

    @Test(arguments: [
        (Int64(3), "asked to wait 3s; that or a longer backoff, and up to 5s to spread hosts"),
        (30, "asked to wait 30s; that or a longer backoff, and up to 30s to spread hosts"),
        (86_400, "asked to wait 15m; that or a longer backoff, and up to 1m to spread hosts"),
        (0, nil),
    ])
    func aWaitThatWasAskedForHasItsReason(asked: Int64, reason: String?) {
        #expect(Backoff.reason(ofWaiting: .seconds(asked)) == reason)
    }

    @Test func aWaitThatNobodyAskedForHasNoReason() {
        #expect(Backoff.reason(ofWaiting: nil) == nil)
    }
}
