import CSondePlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// A source and a sink in Swift, driven through the table that the C contract sees.
@Suite struct PluginExportTests {
    @Test func aSourceCommitsItsSamplesThroughTheContract() throws {
        let harness = try PluginHarness(exportPlugin(CountingSource.self), options: ["step": .integer(3)])
        try harness.start()
        #expect(try harness.collect() == .completed)
        #expect(try harness.collect() == .completed)
        #expect(harness.host.lastCommit == ["test.count{lane=a}": .unsigned(6), "test.ratio": .double(0.5)])
        #expect(harness.host.series.count == 2)
        #expect(harness.host.checkpoint == [2])
    }

    @Test func aPluginOfThisKitRunsOnAHostOfVersionOne() throws {
        let source = try PluginHarness(
            exportPlugin(CountingSource.self), options: ["step": .integer(3)], version: .first)
        try source.start()
        #expect(try source.collect() == .completed)
        #expect(source.host.lastCommit == ["test.count{lane=a}": .unsigned(3), "test.ratio": .double(0.5)])
        let sink = try PluginHarness(exportPlugin(TroubledSink.self), version: .first)
        let series = (1...3).map { number in
            Series(id: SeriesID(rawValue: number), source: "s", name: "m\(number)", kind: .gauge, unit: "")
        }
        let batch = Batch(identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "x", series: series)
        #expect(try sink.deliver(batch) == .completed)
        #expect(sink.host.log == ["info: m1 m2 m3", "info: false false"])
    }

    @Test func troublesAndRejectedPointsReachTheHost() throws {
        let sink = try PluginHarness(exportPlugin(TroubledSink.self))
        let batch = Batch(identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "x")
        #expect(try sink.deliver(batch) == .completed)
        #expect(sink.host.troubles == [PluginError("TST-003", .resource, "one of two", optionPath: "paths[1]")])
        #expect(sink.host.rejectedPoints == [FakeHost.RejectedPoint(index: 4, reason: "too_old")])
        #expect(try sink.deliver(batch.offered(attempt: 1)) == .completed)
        #expect(sink.host.troubles.isEmpty)
    }

    @Test func aRefusedOptionBecomesTheContractsError() throws {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(exportPlugin(CountingSource.self), options: ["step": .integer(0)])
        }
        #expect(error?.code == "TST-001")
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == "step")
        #expect(error?.retryAfter == nil)
    }

    @Test func aSinkSeesTheBatchAsItWasSent() throws {
        let harness = try PluginHarness(exportPlugin(RecordingSink.self))
        let histogram = try #require(HistogramValue(bounds: [0.1, 1], counts: [1, 2, 3], sum: nil))
        let series = [
            Series(
                id: SeriesID(rawValue: 7),
                source: "kernel",
                name: "test.count",
                kind: .counter,
                unit: "By",
                attributes: [Attribute("lane", "å")],
                labels: [Attribute("site", "fra1")]
            ),
            Series(id: SeriesID(rawValue: 8), source: "kernel", name: "test.duration", kind: .histogram, unit: "s"),
        ]
        let points = [
            MetricPoint(
                series: series[0].id,
                time: Timestamp(seconds: 2),
                start: Timestamp(seconds: 1),
                value: .unsigned(.max)
            ),
            MetricPoint(series: series[1].id, time: Timestamp(seconds: 2), value: .histogram(histogram)),
        ]
        let batch = Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: 5, last: 6),
            sink: "central",
            attempt: 2,
            resource: Resource(host: "h"),
            series: series,
            entries: points.enumerated().map { Batch.Entry(seriesIndex: $0.offset, point: $0.element) },
            documents: [Document(schema: "sonde.snapshot/1", time: Timestamp(seconds: 2), json: Array("{}".utf8))]
        )
        #expect(try harness.deliver(batch) == .completed)
        #expect(harness.delivery == Delivery(rejectedPoints: 1, message: "agent/epoch/5-6 2 central h"))
        #expect(
            harness.host.log == [
                "info: kernel test.count counter By [\"lane=å\"] [\"site=fra1\"] \(points[0])",
                "info: kernel test.duration histogram s [] [] \(points[1])",
                "info: sonde.snapshot/1 {}",
            ]
        )
    }

    @Test func aCancelledCallIsNoFailure() throws {
        let harness = try PluginHarness(exportPlugin(RecordingSink.self))
        harness.cancel()
        let batch = Batch(identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "refuse")
        #expect(try harness.deliver(batch) == .cancelled)
    }

    @Test func longMessagesAreCutAtACharacterBoundary() throws {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(exportPlugin(CountingSource.self), options: ["step": .integer(-1)])
        }
        #expect(error?.message == String(repeating: "å", count: 255))
    }

    @Test func theVersionRecordNamesThisCompiler() {
        #expect(SwiftRuntime.name.hasPrefix("swift-6."))
    }
}

private final class TroubledSink: Sink {
    static let descriptor = PluginDescriptor(name: "troubled", kind: .sink, version: "1", summary: "Has troubles.")
    private let host: PluginHost

    init(host: PluginHost) throws(PluginError) {
        self.host = host
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        guard batch.attempt == 0 else {
            host.clearTrouble("TST-003", optionPath: "paths[1]")
            return .complete
        }
        host.log(.info, batch.series.map(\.name).joined(separator: " "))
        let isKnown = host.reportTrouble(PluginError("TST-003", .resource, "one of two", optionPath: "paths[1]"))
        host.log(.info, "\(isKnown) \(host.rejectPoint(at: 4, reason: "too_old"))")
        return .complete
    }
}

private final class CountingSource: Source {
    static let descriptor = PluginDescriptor(name: "counting", kind: .source, version: "1", summary: "Counts.")
    static let count = MetricDefinition("test.count", .counter, unit: "{event}", meaning: "Events.")
    static let ratio = MetricDefinition("test.ratio", .gauge, unit: "1", meaning: "A share.")

    private let host: PluginHost
    private let step: UInt64
    private var total: UInt64 = 0
    private var samples = SampleBuffer()

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        let step = host.options.integer("step") ?? 1
        guard step != 0 else {
            throw PluginError("TST-001", .configuration, "step is 0", hint: "Use 1 or more.", optionPath: "step")
        }
        guard step > 0 else {
            throw PluginError("TST-002", .configuration, String(repeating: "å", count: 400))
        }
        self.step = UInt64(step)
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        total += step
        samples.removeAll()
        samples.append(host.openSeries(Self.count, [Attribute("lane", "a")]), total)
        samples.append(host.openSeries(Self.ratio), 0.5)
        guard host.commit(samples, checkpoint: [UInt8(total / step)]) == .taken else { throw .cancelled }
    }
}

private final class RecordingSink: Sink {
    static let descriptor = PluginDescriptor(name: "recording", kind: .sink, version: "1", summary: "Records.")

    private let host: PluginHost

    init(host: PluginHost) throws(PluginError) {
        self.host = host
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        guard batch.sink != "refuse" else { throw .cancelled }
        for entry in batch.entries {
            let series = batch.series[entry.seriesIndex]
            let attributes = series.attributes.map { "\($0.name)=\($0.value)" }
            let labels = series.labels.map { "\($0.name)=\($0.value)" }
            host.log(
                .info,
                "\(series.source) \(series.name) \(series.kind.name) \(series.unit) \(attributes) \(labels) \(entry.point)"
            )
        }
        for document in batch.documents {
            host.log(.info, "\(document.schema) \(String(decoding: document.json, as: UTF8.self))")
        }
        return Delivery(
            rejectedPoints: 1,
            message: "\(batch.identity.text) \(batch.attempt) \(batch.sink) \(batch.resource.host ?? "-")"
        )
    }
}
