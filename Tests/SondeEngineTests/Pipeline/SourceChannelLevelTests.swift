import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// What is sent at each level, and what is read all the same.
@Suite struct SourceChannelLevelTests {
    private let bench = PipelineBench()

    private func channel(_ level: MetricLevel, collected: MetricLevel = .all) -> SourceChannel {
        SourceChannel(
            id: "kernel",
            descriptor: PluginDescriptor(
                name: "fake", kind: .source, version: "1", summary: "",
                metrics: [
                    MetricDefinition("test.core", .gauge, unit: "", meaning: ""),
                    MetricDefinition("test.extended", .gauge, unit: "", meaning: "", level: .extended),
                    MetricDefinition("test.all", .gauge, unit: "", meaning: "", level: .all),
                ]),
            labels: [], host: nil, pipeline: bench.pipeline, ledger: bench.ledger, log: bench.log, clock: bench.clock,
            level: level, collected: collected)
    }

    private func commit(_ channel: SourceChannel, _ names: [(String, MetricLevel?)]) {
        let samples = names.map { name, level in
            Sample(
                series: channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "", level: level)),
                value: .unsigned(1))
        }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    @Test(arguments: [
        (MetricLevel.core, ["test.core", "other"]), (.extended, ["test.core", "test.extended", "other"]),
        (.all, ["test.core", "test.extended", "test.all", "other"]),
    ])
    func theCatalogSaysFromWhichLevelOnAMetricIsSent(level: MetricLevel, sent: [String]) {
        let channel = channel(level)
        commit(channel, [("test.core", nil), ("test.extended", nil), ("test.all", nil), ("other", nil)])
        #expect(bench.points().map(\.series.name) == sent)
        // What is not sent is read: tables and `sonde series` have it.
        #expect(channel.lastPoints(SeriesQuery(), after: nil, limit: 10).points.count == 4)
        #expect(channel.rejections == RejectionCounts())
    }

    @Test func aSeriesMayHaveALevelOfItsOwn() {
        commit(channel(.core), [("test.core", .extended), ("test.all", .core)])
        #expect(bench.points().map(\.series.name) == ["test.all"])
    }

    @Test func whatIsNotCollectedIsNotReadEitherAndHasEnded() {
        let before = channel(.all)
        commit(before, [("test.core", nil), ("test.extended", nil)])
        let after = channel(.core, collected: .core)
        after.inherit(from: before)
        commit(after, [("test.core", nil), ("test.extended", nil), ("test.all", nil)])
        let points = bench.points().suffix(2)
        #expect(points.map(\.series.name) == ["test.core", "test.extended"])
        #expect(points.map(\.value) == [.unsigned(1), .ended])
        #expect(after.lastPoints(SeriesQuery(), after: nil, limit: 10).points.map(\.series.name) == ["test.core"])
        #expect(after.rejections == RejectionCounts())
        after.closeSeries(SourceChannel.uncollected)
        commit(after, [("test.core", nil), ("test.all", nil)])
        #expect(bench.points().last?.series.name == "test.core")
    }

    @Test func whatIsNotSentAnyMoreEndsAndWhatNeverWasDoesNot() {
        let before = channel(.extended)
        commit(before, [("test.core", nil), ("test.extended", nil), ("test.all", nil)])
        let after = channel(.core)
        after.inherit(from: before)
        commit(after, [("test.core", nil), ("test.extended", nil), ("test.all", nil)])
        let points = bench.points().suffix(2)
        #expect(points.map(\.series.name) == ["test.core", "test.extended"])
        #expect(points.map(\.value) == [.unsigned(1), .ended])
        after.endAllSeries()
        #expect(bench.points().suffix(1).map(\.series.name) == ["test.core"])
        #expect(bench.points().count == 5)
    }
}
