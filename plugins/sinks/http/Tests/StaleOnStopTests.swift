import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// Series that end with the agent.
@Suite struct StaleOnStopTests {
    private static func options(_ format: String, isOn: Bool = true) -> [String: FakeHost.Option] {
        [
            "format": .string(format), "version": .string("1"), "stale_on_stop": .bool(isOn),
            "compression": .string(format == "prometheus_remote_write" ? "snappy" : "none"),
        ]
    }

    @Test func afterTheLastBatchOneRequestEndsWhatWasSent() throws {
        try FaultServer.run(Answer.status(200)) { server in
            let sink = try SinkDriver(server.url, Self.options("otlp"))
            try sink.deliver(.sample(first: 1))
            try sink.deliver(.sample(first: 3), isFinal: true)
            try #require(server.requests.count == 3)
            let sent = Batch.sample()
            let time = max(sink.harness.host.wallTime, sent.entries[0].point.time.advanced(by: .milliseconds(1)))
            let ends = Batch(
                identity: sent.identity, sink: sent.sink, resource: sent.resource, series: sent.series,
                entries: sent.series.enumerated().map {
                    Batch.Entry(seriesIndex: $0, point: MetricPoint(series: $1.id, time: time, value: .ended))
                })
            var buffer = ByteBuffer()
            var encoder = OTLPEncoder()
            _ = encoder.encode(ends, into: &buffer)
            #expect(server.requests[2].body == buffer.bytes)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            #expect(sink.harness.host.log.isEmpty)
        }
    }

    @Test(arguments: [("prometheus_remote_write", true, 2), ("prometheus_remote_write", false, 1), ("json", true, 1)])
    func onlyTheOptionAndAFormatThatHasMarksDoIt(_ format: String, _ isOn: Bool, _ requests: Int) throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url, Self.options(format, isOn: isOn))
            try sink.deliver(isFinal: true)
            #expect(server.requests.count == requests)
        }
    }

    @Test func nothingIsEndedWhileABatchWaits() throws {
        let steps = [Answer.status(204), Answer.status(204), Answer.status(503)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options("prometheus_remote_write"))
            try sink.deliver(.sample(first: 1))
            // More waits: it is not the last one.
            try sink.deliver(.sample(first: 3))
            #expect(throws: PluginError.self) { try sink.deliver(.sample(first: 5), isFinal: true) }
            #expect(server.requests.count == 3)
        }
    }

    @Test func theEndsAreHalvedWhereTheyAreTooLarge() throws {
        let steps = [Answer.status(204), Answer.status(413), Answer.status(204), Answer.status(204)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options("prometheus_remote_write"))
            #expect(try sink.deliver(isFinal: true) == .completed)
            try #require(server.requests.count == 4)
            let sizes = server.requests.map(\.body.count)
            #expect(sizes[2] < sizes[1])
            #expect(sizes[3] < sizes[1])
            #expect(server.requests[2].body != server.requests[3].body)
            #expect(sink.harness.host.log.isEmpty)
        }
    }

    @Test func anEndThatIsTooLargeByItselfIsNotTriedAgain() throws {
        try FaultServer.run([Answer.status(204), Answer.status(413), Answer.status(413)]) { server in
            let sink = try SinkDriver(server.url, Self.options("prometheus_remote_write"))
            #expect(try sink.deliver(isFinal: true) == .completed)
            #expect(server.requests.count == 3)
            #expect(
                sink.harness.host.log == [
                    "info: 2 series are not marked as ended: HTTP 413 Words from \(server.url)"
                ])
        }
    }

    @Test func aReceiverThatDoesNotTakeTheEndsHasTheBatchAllTheSame() throws {
        try FaultServer.run([Answer.status(204), Answer.status(503)]) { server in
            let sink = try SinkDriver(server.url, Self.options("prometheus_remote_write"))
            #expect(try sink.deliver(isFinal: true) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            #expect(server.requests.count == 2)
            #expect(
                sink.harness.host.log == [
                    "info: 2 series are not marked as ended: HTTP 503 Words from \(server.url)"
                ])
        }
    }
}
