import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// How often an info metric, which says the same each time, is sent.
@Suite struct SourceChannelInfoTests {
    private let bench = PipelineBench()

    private func series(_ channel: SourceChannel, _ kind: MetricKind, _ state: String = "") -> UInt64 {
        let attributes = state.isEmpty ? [] : [Attribute("state", state)]
        return channel.openSeries(
            SeriesSpecification(name: "test.\(kind.name)", kind: kind, unit: "", attributes: attributes))
    }

    private func commit(_ channel: SourceChannel, _ handles: UInt64...) {
        let samples = handles.map { Sample(series: $0, value: .unsigned(1)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    @Test(arguments: [(5, 12), (10, 6), (20, 3), (30, 2), (45, 2), (60, 1), (90, 1), (600, 1)])
    func aSampleAMinuteIsSent(interval: Int, collectionsForOne: Int) {
        let channel = bench.channel()
        let (info, gauge) = (series(channel, .info), series(channel, .gauge))
        for _ in 0..<collectionsForOne * 3 {
            commit(channel, info, gauge)
            bench.clock.advance(by: .seconds(Int64(interval)))
        }
        let names = bench.points().map(\.series.name)
        #expect(names.filter { $0 == "test.gauge" }.count == collectionsForOne * 3)
        #expect(names.filter { $0 == "test.info" }.count == 3)
        #expect(channel.lastPoints(SeriesQuery(), after: nil, limit: 10).points.count == 2)
    }

    @Test func aCollectionThatIsALittleEarlyCounts() {
        let channel = bench.channel()
        let info = series(channel, .info)
        for _ in 0..<13 {
            commit(channel, info)
            bench.clock.advance(by: .milliseconds(9_990))
        }
        #expect(bench.points().count == 3)
    }

    @Test func whatWasRefusedIsSentWithTheNextCommit() throws {
        let bench = PipelineBench(maxBytes: 300, overflow: .dropNewest)
        let channel = bench.channel()
        channel.holdWhatIsRefused()
        let (info, gauge) = (series(channel, .info), series(channel, .gauge))
        commit(channel, gauge, gauge, gauge)
        let samples = [info, gauge, gauge, gauge].map { Sample(series: $0, value: .unsigned(1)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .busy)
        let stretch = try #require(bench.spool.cut(for: "sink", maxCount: 10, maxBytes: .max))
        bench.spool.acknowledge(stretch, for: "sink")
        commit(channel, info)
        #expect(bench.points().map(\.series.name) == ["test.info"])
    }

    @Test func whatIsNewIsSentAtOnceAndEnds() {
        let channel = bench.channel()
        let first = series(channel, .info, "running")
        commit(channel, first)
        bench.clock.advance(by: .seconds(10))
        channel.closeSeries(first)
        commit(channel, series(channel, .info, "held"))
        bench.clock.advance(by: .seconds(10))
        channel.closeSeries(series(channel, .info, "held"))
        commit(channel, series(channel, .info, "running"))
        let points = bench.points()
        #expect(points.map { $0.series.attributes[0].value } == ["running", "held", "running", "running", "held"])
        #expect(points.map(\.value.isEnd) == [false, false, true, false, true])
    }
}
