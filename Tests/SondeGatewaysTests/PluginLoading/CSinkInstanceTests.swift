import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

struct CSinkInstanceTests {
    private let received = Series(
        id: SeriesID(rawValue: 11),
        source: "kernel",
        name: "system.network.io",
        kind: .counter,
        unit: "By",
        attributes: [Attribute("network.interface.name", "lo"), Attribute("network.io.direction", "receive")],
        labels: [Attribute("site", "fra1")]
    )
    private let latency = Series(
        id: SeriesID(rawValue: 12),
        source: "wire",
        name: "dns.latency",
        kind: .histogram,
        unit: "s"
    )

    private func batch(_ entries: [Batch.Entry] = [], documents: [Document] = [], attempt: Int = 0) -> Batch {
        Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: 5, last: 9),
            sink: "out",
            attempt: attempt,
            resource: Resource(host: "host"),
            series: [received, latency],
            entries: entries,
            documents: documents
        )
    }

    private func entry(_ index: Int, _ value: SampleValue, start: Int64? = nil) -> Batch.Entry {
        let series = index == 0 ? received.id : latency.id
        let start = start.map(Timestamp.init(nanoseconds:))
        let point = MetricPoint(series: series, time: Timestamp(nanoseconds: 77), start: start, value: value)
        return Batch.Entry(seriesIndex: index, point: point)
    }

    private func seen(_ workshop: PluginWorkshop) throws -> [Substring] {
        try String(contentsOfFile: workshop.path("seen"), encoding: .utf8).split(separator: "\n")
    }

    private func sink(_ workshop: PluginWorkshop, mode: String? = nil) throws -> any SinkInstance {
        try workshop.sink("capture", mode: mode, options: ["path": .string(workshop.path("seen"))])
    }

    @Test(arguments: Isolation.allCases) func servesUntilItIsCancelledWithoutADeadline(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let sink = try workshop.sink("serving", services: services)
        #expect(sink.isServing)
        let cancel = Pipe()
        cancel.fileHandleForWriting.closeFile()
        let call = CallConditions.test(cancelDescriptor: cancel.fileHandleForReading.fileDescriptor)
        #expect(try sink.serve(call) == .cancelled)
        #expect(services.lines == ["info: served until \(Int64.max)"])
        #expect(try !self.sink(workshop).isServing)
    }

    @Test(arguments: Isolation.allCases) func deliversABatchWithEverythingInIt(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let sink = try sink(workshop)
        try sink.start()
        let histogram = try #require(HistogramValue(bounds: [0.5, 1], counts: [1, 2, 3], sum: 4.5))
        let document = Document(
            schema: "sonde.snapshot/1",
            time: Timestamp(nanoseconds: 1),
            json: Array(#"{"a":1}"#.utf8)
        )
        let outcome = try sink.deliver(
            batch(
                [
                    entry(0, .unsigned(.max), start: 3), entry(1, .histogram(histogram)), entry(0, .signed(-1)),
                    entry(0, .double(0.5)),
                ],
                documents: [document],
                attempt: 2
            ),
            .test(isFinal: true)
        )
        #expect(outcome == .delivered(rejectedPoints: 0, reason: ""))
        let series =
            "11 system.network.io [By] from kernel kind 1 attribute network.interface.name=lo"
            + " attribute network.io.direction=receive label site=fra1"
        #expect(
            try seen(workshop) == [
                "batch agent/epoch/5-9 sink=out host=host attempt=2 final",
                "\(series) @3+77 18446744073709551615",
                "12 dns.latency [s] from wire kind 4 @0+77 <=0.5:1 <=1:2 >:3 n=6 sum=4.5",
                "\(series) @0+77 -1",
                "\(series) @0+77 0.5",
                #"document sonde.snapshot/1 {"a":1}"#,
            ]
        )
    }

    @Test(arguments: Isolation.allCases) func deliversToTheSinkOfTheGuide(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let sink = try workshop.sink("append", options: ["path": .string(workshop.path("lines"))])
        let histogram = try #require(HistogramValue(bounds: [0.5], counts: [1, 2], sum: 4.5))
        let entries = [
            entry(0, .unsigned(.max)), entry(0, .signed(-1)), entry(1, .histogram(histogram)), entry(0, .ended),
        ]
        #expect(try sink.deliver(batch(entries), .test()) == .delivered(rejectedPoints: 0, reason: ""))
        let series = "77 system.network.io network.interface.name=lo network.io.direction=receive"
        #expect(
            try String(contentsOfFile: workshop.path("lines"), encoding: .utf8) == """
                \(series) 18446744073709551615
                \(series) -1
                77 dns.latency 3 events
                \(series) ended

                """)
    }

    @Test(arguments: Isolation.allCases) func reportsTheFailureOfTheSinkOfTheGuide(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let sink = try workshop.sink("append", options: ["path": .string(workshop.path("absent/lines"))])
        let error = #expect(throws: SondeError.self) { _ = try sink.deliver(batch([entry(0, .signed(1))]), .test()) }
        #expect(error?.code == ErrorCode("ACME-A001"))
        #expect(error?.failureClass == .resource)
    }

    @Test(arguments: Isolation.allCases) func leavesOutAPointWhoseSeriesIsNotInTheTable(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let sink = try sink(workshop)
        let point = MetricPoint(series: received.id, time: Timestamp(nanoseconds: 1), value: .unsigned(1))
        _ = try sink.deliver(batch([Batch.Entry(seriesIndex: 2, point: point)]), .test())
        #expect(try seen(workshop) == ["batch agent/epoch/5-9 sink=out host=host attempt=0"])
    }

    @Test(arguments: Isolation.allCases) func neverCountsMoreRejectedPointsThanThereWere(_ isolation: Isolation) throws
    {
        let workshop = try PluginWorkshop(isolation)
        let outcome = try sink(workshop, mode: "reject").deliver(batch([entry(0, .unsigned(1))]), .test())
        #expect(outcome == .delivered(rejectedPoints: 1, reason: "too old"))
    }

    @Test(arguments: Isolation.allCases) func tellsACancelledDeliveryFromAFailedOne(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let cancel = try CancelSignal()
        cancel.cancel()
        let sink = try sink(workshop, mode: "cancel")
        #expect(try sink.deliver(batch(), .test(cancelDescriptor: cancel.descriptor)) == .cancelled)
    }

    @Test(arguments: Isolation.allCases) func heedsWhatASinkPrefersInCreateOnly(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let sink = try workshop.sink("capture", services: services)
        #expect(sink.preferredContent == [.metrics, .snapshots])
        try sink.start()
        #expect(sink.preferredContent == [.metrics, .snapshots])
        #expect(services.lines.contains { $0.contains("prefer_send outside") })
    }

    @Test(arguments: Isolation.allCases) func refusesToMakeASourceOfASink(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        try workshop.compile("capture")
        let plugin = try workshop.catalog().plugin(named: "capture")
        let error = #expect(throws: SondeError.self) {
            try plugin.makeSource(id: "x", options: OptionValues(), services: RecordingServices())
        }
        #expect(error?.code == .pluginKindUnsuited)
    }
}
