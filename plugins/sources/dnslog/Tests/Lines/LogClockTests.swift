import Testing

@testable import DNSLogPlugin

@Suite struct LogClockTests {
    /// How far a clock comes with these times.
    private func passed(_ times: [Int64]) -> Int64 {
        var clock = LogClock(longestStep: 2_500)
        var shared: Int64 = 0
        for time in times { clock.advance(to: time, &shared) }
        return shared
    }

    @Test func timePassesAsTheLinesSay() {
        #expect(passed([1_000, 1_000, 1_400, 3_000]) == 2_000)
    }

    @Test func aStepForwardCountsForNoMoreThanTheLongest() {
        #expect(passed([1_000, 3_600_000, 3_600_100]) == 2_600)
    }

    @Test func linesThatAreALittleOutOfOrderPassNoTimeTwice() {
        let times = stride(from: Int64(1_000), to: 2_000, by: 10).flatMap { [$0, $0 - 10] }
        #expect(passed(times) == 990)
    }

    @Test func aClockThatIsSetBackRunsOnFromThere() {
        #expect(passed([10_000_000, 10_000_100, 1_000, 1_200]) == 300)
    }

    @Test(arguments: [[Int64.min, .max], [.max, .min], [.max, .min, .max], [0, .min, 0]])
    func noTimeIsTooFarFromAnother(_ times: [Int64]) {
        #expect((0...2_500).contains(passed(times)))
    }
}
