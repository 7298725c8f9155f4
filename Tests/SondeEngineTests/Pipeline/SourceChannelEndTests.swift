import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// What a source that leaves for good has to say.
@Suite struct SourceChannelEndTests {
    @Test(arguments: [(300, 0, ["kernel"]), (1_000, 1, [])] as [(Int64, Int, [String])])
    func endsForWhichThereIsNoRoomAreWarnedOf(maxBytes: Int64, ends: Int, warned: [String]) {
        let bench = PipelineBench(maxBytes: maxBytes, overflow: .dropNewest)
        let channel = bench.channel()
        let handle = channel.openSeries(SeriesSpecification(name: "test.gauge", kind: .gauge, unit: "1"))
        let samples = Array(repeating: Sample(series: handle, value: .unsigned(1)), count: 2)
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        channel.endAllSeries()
        #expect(bench.points().count == samples.count + ends)
        #expect(bench.points().filter(\.value.isEnd).count == ends)
        let warnings = bench.log.lines(.warning).filter { $0.message.contains("have ended") }
        #expect(warnings.compactMap(\.component) == warned)
    }
}
