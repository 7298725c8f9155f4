import SondeDomain
import SondeTestKit
import Testing

@Suite struct HistoryStepsTests {
    @Test func stepsComeInAnyOrderAndStandInTheirs() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var steps = HistorySteps()
            var plain: [Int64: Double] = [:]
            for _ in 0..<50 {
                let index = Int64.random(in: 0..<40, using: &random)
                let value = Double.random(in: 0...9, using: &random)
                if Bool.random(using: &random) {
                    steps.set(HistoryPoint(value, weight: 1), at: index)
                } else {
                    steps.merge(HistoryPoint(value, weight: 1), at: index)
                }
                plain[index] = value
            }
            #expect(steps.steps.map(\.index) == plain.keys.sorted())
            #expect(steps.steps.allSatisfy { $0.point.last == plain[$0.index] })
            let from = Int64.random(in: 0..<40, using: &random)
            let to = Int64.random(in: from...45, using: &random)
            #expect(steps[from..<to].map(\.index) == plain.keys.filter { (from..<to).contains($0) }.sorted())
        }
    }

    @Test func stepsOfALongerLengthAreMadeOfThoseThatAreThere() {
        var steps = HistorySteps()
        for index in [0, 1, 5, 6, 20] as [Int64] { steps.set(HistoryPoint(Double(index), weight: 2), at: index) }
        #expect(steps.merged(0..<6)?.average == 2)
        #expect(steps.merged(7..<20) == nil)
        #expect(steps.grouped(by: 6).steps.map(\.index) == [0, 1, 3])
    }

    @Test func theOldestGiveWay() {
        var steps = HistorySteps()
        for index in 0..<10 as Range<Int64> { steps.set(HistoryPoint(0, weight: 1), at: index) }
        #expect(steps.keepNewest(4) == 6)
        #expect(steps.steps.map(\.index) == [6, 7, 8, 9])
        #expect(steps.keepNewest(4) == 0)
    }

    @Test func whatDoesNotAscendIsLeftOut() {
        let point = HistoryPoint(0, weight: 1)
        let steps = HistorySteps(ascending: [3, 1, 4, 4, 5].map { HistoryStep($0, point) })
        #expect(steps.steps.map(\.index) == [3, 4, 5])
    }
}
