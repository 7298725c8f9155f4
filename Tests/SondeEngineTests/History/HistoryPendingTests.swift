import SondeDomain
import SondeEngine
import Testing

@Suite struct HistoryPendingTests {
    private let series = HistorySeries(.bandwidthReceive, source: "kernel")

    private func reading(_ series: HistorySeries, second: Int64, value: Double = 1) -> HistoryCollector.Reading {
        let time = Timestamp(seconds: 1_767_225_600 + second)
        return .init(
            series: series, rank: .standard,
            observation: HistoryObservation(.held(value, peak: nil), at: time, held: .seconds(5)))
    }

    @Test func theOldestHourOfASeriesGivesWay() {
        var pending = HistoryPending()
        for step in 1...1_000 { pending.add(reading(series, second: Int64(step) * 5), isKept: true) }
        #expect(pending.steps(of: series).count == HistoryPending.seriesBound)
        #expect(pending.dropped == 280)
        #expect(pending.steps(of: series).steps.last?.index == Int64(353_446_119))
    }

    @Test func allTogetherAreBoundedAndTheNewestStay() {
        var pending = HistoryPending()
        let names = (0..<60).map { HistorySeries(.connectionsTCP, member: "s\($0)", source: "kernel") }
        for step in 1...720 {
            for name in names { pending.add(reading(name, second: Int64(step) * 5), isKept: true) }
        }
        let waiting = pending.additions.map(\.steps.count)
        #expect(waiting.count == 60)
        #expect(waiting.reduce(0, +) <= HistoryPending.bound)
        #expect(UInt64(waiting.reduce(0, +)) + pending.dropped == 60 * 720)
        let last = names.map { pending.steps(of: $0).steps.last?.index }
        #expect(last.allSatisfy { $0 == Int64(353_445_839) })
    }

    @Test func newSeriesAreBoundedAndThoseWithRoomAlwaysTaken() {
        var pending = HistoryPending()
        for number in 0..<1_000 {
            let name = HistorySeries(.bandwidthReceive, member: "veth\(number)", source: "kernel")
            pending.add(reading(name, second: 5), isKept: false)
        }
        #expect(pending.all.count == HistoryPending.newcomerBound)
        #expect(pending.dropped == UInt64(1_000 - HistoryPending.newcomerBound))
        pending.add(reading(series, second: 5), isKept: true)
        #expect(pending.all.contains(series))
    }

    @Test func whatCameLaterIsMergedBehindWhatWaits() {
        var (earlier, later) = (HistoryPending(), HistoryPending())
        earlier.add(reading(series, second: 3, value: 1), isKept: true)
        later.add(reading(series, second: 5, value: 2), isKept: true)
        earlier.merge(later)
        #expect(earlier.steps(of: series).steps.last?.point.last == 2)
        #expect(earlier.steps(of: series).steps.last?.point.count == 2)
    }

    @Test func aReadingThatIsNoNumberLeavesNothing() {
        var pending = HistoryPending()
        pending.add(reading(series, second: 5, value: .nan), isKept: true)
        #expect(pending.isEmpty)
    }
}
