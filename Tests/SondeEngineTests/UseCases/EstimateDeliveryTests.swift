import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct EstimateDeliveryTests {
    private static let format = OptionDefinition(
        "format", .choice(["json", "table", "prometheus_remote_write"]), default: "json", help: "")
    private static let compression = OptionDefinition("compression", .choice(["none", "gzip", "snappy"]), help: "")

    private func source(_ id: String, _ interval: Int64) -> SourceConfiguration {
        SourceConfiguration(id: id, plugin: "fake", interval: .seconds(interval))
    }

    private func sink(_ options: [String: OptionValues.Value] = [:], wait: Int64 = 1) -> SinkConfiguration {
        var sink = SinkConfiguration(id: "sink", plugin: "fake", options: OptionValues(options))
        sink.batch.wait = .seconds(wait)
        return sink
    }

    private func descriptor(
        _ options: [OptionDefinition] = [Self.format, Self.compression], sees: Set<PluginDescriptor.View> = []
    ) -> PluginDescriptor {
        PluginDescriptor(
            name: "fake", kind: .sink, version: "1", summary: "", options: options, delivery: .durable, sees: sees)
    }

    private func series(_ source: String, _ count: Int, _ kind: MetricKind = .counter, from: UInt64) -> [Series] {
        (0..<UInt64(count)).map { index in
            Series(
                id: SeriesID(rawValue: from + index), source: source, name: "test.metric\(from + index)", kind: kind,
                unit: "", attributes: [])
        }
    }

    private func estimate(
        _ series: [Series], health: [SpooledPoint] = [], _ sources: [SourceConfiguration]
    ) -> EstimateDelivery {
        let entries = series.enumerated().map { index, series in
            Batch.Entry(
                seriesIndex: index,
                point: MetricPoint(
                    series: series.id, time: Timestamp(seconds: 1_767_225_600),
                    start: Timestamp(seconds: 1_767_225_000),
                    value: .unsigned(7)))
        }
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 2), sink: "once", series: series,
            entries: entries)
        return EstimateDelivery(batch, health: health, AgentConfiguration(sources: sources))
    }

    private func bytes(_ estimate: EstimateDelivery, _ sink: SinkConfiguration) throws -> Double {
        try #require(estimate(sink, descriptor()).bytesAnHour)
    }

    @Test func aSourceHasItsSeriesAndTheAgentItsOwn() {
        let estimate = estimate(series("kernel", 3, from: 1) + series("agent", 2, from: 9), [source("kernel", 10)])
        #expect(
            estimate(source("kernel", 10), descriptor(sees: [.kernel]))
                == .init(id: "kernel", level: .core, interval: .seconds(10), series: 3, growsWithTraffic: false))
        #expect(estimate(source("kernel", 10), descriptor(sees: [.wire])).growsWithTraffic)
        #expect(estimate.agent.series == 2)
    }

    @Test func linesTakeAsManyBytesWhateverTheWait() throws {
        let estimate = estimate(series("kernel", 50, from: 1), [source("kernel", 10)])
        let each = try bytes(estimate, sink(["compression": .string("none")]))
        let six = try bytes(estimate, sink(["compression": .string("none")], wait: 60))
        #expect(abs(each / six - 1) < 0.01)
        // A line is some 150 bytes.
        let linesAnHour = 360.0 * 50
        #expect((100..<200).contains(each / linesAnHour))
        #expect(estimate(sink(wait: 60), descriptor()).period == .seconds(60))
    }

    @Test func whatIsPackedIsSmallerAndMoreSoInFewerRequests() throws {
        let estimate = estimate(series("kernel", 50, from: 1), [source("kernel", 10)])
        let lines = try bytes(estimate, sink(["compression": .string("none")]))
        let packed = try bytes(estimate, sink())
        #expect(packed < lines / 4)
        #expect(estimate(sink(), descriptor()).encoding == .init(format: "json", compression: "gzip"))
        let write = OptionValues.Value.string("prometheus_remote_write")
        #expect(
            estimate(sink(["format": write]), descriptor()).encoding
                == .init(format: "prometheus_remote_write", compression: "snappy"))
        #expect(try bytes(estimate, sink(["format": write], wait: 60)) < bytes(estimate, sink(["format": write])) / 2)
    }

    @Test func whatIsCollectedSeldomIsInFewRequests() throws {
        let sources = [source("kernel", 10), source("slow", 100)]
        let none = ["compression": OptionValues.Value.string("none")]
        let fast = try bytes(estimate(series("kernel", 50, from: 1), sources), sink(none))
        let both = try bytes(
            estimate(series("kernel", 50, from: 1) + series("slow", 50, from: 101), sources), sink(none))
        #expect(abs(both / fast - 1.1) < 0.01)
        let info = series("kernel", 60, .info, from: 201)
        let mixed = try bytes(estimate(series("kernel", 50, from: 1) + info, sources), sink(none))
        let alone = try bytes(estimate(info, [source("kernel", 60)]), sink(none, wait: 60))
        #expect(abs((mixed - fast) / alone - 1) < 0.01)
    }

    @Test func howTheAgentIsIsInBatchesOfItsOwn() throws {
        let none = ["compression": OptionValues.Value.string("none")]
        let counters = series("kernel", 50, from: 1)
        let fast = try bytes(estimate(counters, [source("kernel", 10)]), sink(none))
        let health = series("agent", 30, .gauge, from: 201).map { series in
            SpooledPoint(series: series, time: Timestamp(seconds: 1_767_225_600), start: nil, value: .unsigned(1))
        }
        let both = estimate(counters, health: health, [source("kernel", 10)])
        let alone = try bytes(
            estimate(series("kernel", 30, .gauge, from: 201), [source("kernel", 10)]), sink(none))
        // One for three of the log.
        #expect(try abs((bytes(both, sink(none)) - fast) / alone - 1 / 3.0) < 0.1)
        #expect(both.agent.series == 30)
        #expect(both(sink(none), descriptor()).series == 80)
    }

    @Test func aSinkGetsWhatItIsConfiguredToGet() {
        let estimate = estimate(series("kernel", 50, from: 1), [source("kernel", 10)])
        var sink = sink()
        sink.metrics.include = ["test.metric1*"]
        #expect(estimate(sink, descriptor()).series == 11)
        sink.maxSeries = 5
        #expect(estimate(sink, descriptor()).series == 5)
    }

    @Test func whatIsNoFormatOfPointsIsNotKnown() {
        let estimate = estimate(series("kernel", 50, from: 1), [source("kernel", 10)])
        #expect(estimate(sink(["format": .string("table")]), descriptor()).bytesAnHour == nil)
        #expect(estimate(sink(), descriptor([])).bytesAnHour == nil)
        var snapshots = sink()
        snapshots.send = .snapshots
        #expect(estimate(snapshots, descriptor()).bytesAnHour == nil)
    }
}
