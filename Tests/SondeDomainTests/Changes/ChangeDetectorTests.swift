import SondeDomain
import Testing

@Suite struct ChangeDetectorTests {
    private static let begin = Timestamp(seconds: 1_767_225_600)
    private static let minute = Nanoseconds.seconds(60)

    private func start(_ minute: Int64) -> Timestamp { Self.begin.advanced(by: Self.minute * minute) }

    @Test func minutesOfWhichNothingIsKnownAreNoPartOfAChange() throws {
        let usual = (0..<30 as Range<Int64>).map { HistoryStep($0, HistoryPoint(1e6, weight: 120_000_000)) }
        let baseline = ChangeBaseline(
            of: .bandwidthReceive, [HistorySteps(ascending: usual)], in: .day, alignment: .none)
        let known = (0..<60 as Range<Int64>).filter { !(33..<45).contains($0) }
        let points = known.map { minute in
            HistoryLine.Point(
                start(minute), HistoryPoint((30..<33).contains(minute) ? 10e6 : 1e6, weight: 60_000_000))
        }
        let series = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")
        let course = ChangeCourse(points, from: start(0), to: start(60), step: Self.minute)
        let change = try #require(ChangeDetector(of: series, course, against: baseline).change())
        #expect(change.direction == .higher && change.value == 10e6)
        #expect(change.begin == start(30) && change.end == start(33))
    }
}
