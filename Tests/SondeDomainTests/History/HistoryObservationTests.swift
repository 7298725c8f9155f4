import SondeDomain
import Testing

@Suite struct HistoryObservationTests {
    private func steps(_ value: HistoryObservation.Value, at seconds: Double, held: Double) -> HistorySteps? {
        var steps = HistorySteps()
        let observation = HistoryObservation(
            value, at: Timestamp(nanoseconds: Int64(seconds * 1e9)), held: Nanoseconds(Int64(held * 1e9)))
        return observation.add(to: &steps) ? steps : nil
    }

    @Test func aReadingWeighsInEveryStepAsLongAsItHeldThere() throws {
        let all = try #require(steps(.held(7, peak: 9), at: 1_012, held: 10)).steps
        #expect(all.map(\.index) == [200, 201, 202])
        #expect(all.map(\.point.weight) == [3_000_000, 5_000_000, 2_000_000])
        #expect(all.map(\.point.count) == [0, 0, 1])
        #expect(all.map(\.point.peak) == [9, 9, 9])
        #expect(all.allSatisfy { $0.point.average == 7 && $0.point.last == 7 })
    }

    @Test func aReadingAtTheEndOfAStepSpeaksOfThatStep() throws {
        let all = try #require(steps(.held(7, peak: nil), at: 1_010, held: 10)).steps
        #expect(all.map(\.index) == [200, 201])
        #expect(all.map(\.point.weight) == [5_000_000, 5_000_000])
    }

    @Test func aFirstReadingCountsForAMoment() throws {
        let all = try #require(steps(.held(7, peak: nil), at: 1_010, held: 0)).steps
        #expect(all.map(\.index) == [201])
        #expect(all.map(\.point.weight) == [1])
        #expect(all.map(\.point.count) == [1])
    }

    @Test func aReadingSpeaksOfAnHourAtTheMost() throws {
        let all = try #require(steps(.held(7, peak: nil), at: 1e6, held: 86_400)).steps
        #expect(all.count == 720)
    }

    @Test func aClockThatRanBackwardsHoldsForNoTime() throws {
        #expect(try #require(steps(.held(7, peak: nil), at: 1_010, held: -50)).count == 1)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNoNumberIsRefused(value: Double) {
        #expect(steps(.held(value, peak: nil), at: 1_000, held: 1) == nil)
        #expect(steps(.held(1, peak: value), at: 1_000, held: 1) == nil)
        #expect(steps(.events(LatencyCounts(), mean: value), at: 1_000, held: 1) == nil)
    }

    @Test func timesBefore1970AndTheEndsOfTimeDoNotTrap() {
        for time in [Int64.min, -1, 0] {
            var steps = HistorySteps()
            let observation = HistoryObservation(
                .held(1, peak: nil), at: Timestamp(nanoseconds: time), held: .seconds(10))
            #expect(!observation.add(to: &steps))
        }
        for (time, held) in [(Int64.max, Int64.max), (1, .max), (1, 0), (.max, 0), (5_000, 10_000)] {
            var steps = HistorySteps()
            let observation = HistoryObservation(
                .held(1, peak: nil), at: Timestamp(nanoseconds: time), held: Nanoseconds(held))
            #expect(observation.add(to: &steps))
            #expect((1...721).contains(steps.count))
        }
    }

    @Test func eventsBelongToTheStepTheyWereToldIn() throws {
        let latencies = try #require(LatencyCounts(counts: (0...18).map { $0 == 4 ? 6 : 0 }))
        let all = try #require(steps(.events(latencies, mean: 0.0002), at: 1_012, held: 10)).steps
        #expect(all.map(\.index) == [202])
        #expect(all[0].point.weight == 6)
        #expect(all[0].point.latencies == latencies)
    }
}
