import Testing

@testable import SondeDomain

@Suite struct ChangeBaselineTests {
    private static let begin = Timestamp(seconds: 1_767_225_600)

    /// Three days of different heights, each with a rhythm of seven steps.
    private static func baseline(_ alignment: ChangeBaseline.Alignment) -> ChangeBaseline {
        let first = HistoryTier.week.index(from: begin)
        let days = (1...3).map { day in
            HistorySteps(
                ascending: (first - 20..<first + 40).map { index in
                    HistoryStep(index, HistoryPoint(Double(100 * day) + Double(index % 7), weight: 60_000_000))
                })
        }
        return ChangeBaseline(of: .bandwidthReceive, days, in: .week, alignment: alignment)
    }

    @Test(arguments: [(ChangeBaseline.Alignment.timeOfDay, 10), (.none, 1)])
    func whatIsUsualAtEachOfSeveralInstantsIsWhatIsUsualThere(_ alignment: ChangeBaseline.Alignment, _ least: Int) {
        let baseline = Self.baseline(alignment)
        let times = (-30..<240 as Range<Int64>).map { Self.begin.advanced(by: Nanoseconds.seconds(60) * $0) }
        let bands = baseline.bands(at: times)
        #expect(bands == times.map { baseline.band(at: $0) })
        let changes = zip(bands, bands.dropFirst()).filter { $0 != $1 }.count
        #expect(changes >= least - 1 && bands.allSatisfy { $0 != nil }, "\(changes)")
    }
}
