import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// Remote write over real sockets: which version is sent, and what answers mean.
@Suite struct RemoteWriteTests {
    private static let written = "X-Prometheus-Remote-Write-Samples-Written"
    private static let two = "application/x-protobuf;proto=io.prometheus.write.v2.Request"
    private static let one = "application/x-protobuf"

    private static func options(_ version: String = "auto") -> [String: FakeHost.Option] {
        ["format": .string("prometheus_remote_write"), "version": .string(version)]
    }

    @Test func twoIsSentInSnappyAndTakenWhenAllSamplesAreWritten() throws {
        try FaultServer.run(Answer.status(204, ["\(Self.written): 2"])) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            let request = try #require(server.requests.first)
            #expect(request.header("Content-Type") == Self.two)
            #expect(request.header("Content-Encoding") == "snappy")
            #expect(request.header("X-Prometheus-Remote-Write-Version") == "2.0.0")
            var buffer = ByteBuffer()
            var encoder = RemoteWrite2Encoder()
            _ = encoder.encode(.sample(), into: &buffer)
            #expect(try Self.length(request.body) == buffer.count)
        }
    }

    @Test(arguments: [204, 400])
    func whatTheReceiverHasNotWrittenIsRejected(status: Int) throws {
        try FaultServer.run(Answer.status(status, ["\(Self.written): 1"])) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(sink.harness.delivery.message.contains("1 of 2 samples"))
        }
    }

    /// VictoriaMetrics answers 204 to a body in 2.0 and stores nothing.
    @Test(arguments: [204, 415, 400])
    func aReceiverThatKnowsNoTwoGetsOneAtOnce(status: Int) throws {
        try FaultServer.run([Answer.status(status), Answer.status(204), Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.map { $0.header("Content-Type") } == [Self.two, Self.one, Self.one])
            #expect(
                server.requests.map { $0.header("X-Prometheus-Remote-Write-Version") } == ["2.0.0", "0.1.0", "0.1.0"])
        }
    }

    @Test func aReceiverThatWantsTwoAgainGetsIt() throws {
        let steps = [Answer.status(400), Answer.status(415), Answer.status(204, ["\(Self.written): 2"])]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.failure().failureClass == .configuration)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.map { $0.header("Content-Type") } == [Self.two, Self.one, Self.two])
        }
    }

    @Test func aReceiverThatTookOneAndThenWantsTwoGetsIt() throws {
        let steps = [415, 204, 415].map { Answer.status($0) } + [Answer.status(204, ["\(Self.written): 2"])]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.map { $0.header("Content-Type") } == [Self.two, Self.one, Self.one, Self.two])
        }
    }

    @Test func aReceiverThatTookTwoAndRefusesItNowGetsOne() throws {
        let steps = [Answer.status(204, ["\(Self.written): 2"]), Answer.status(415), Answer.status(204)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.map { $0.header("Content-Type") } == [Self.two, Self.two, Self.one])
        }
    }

    @Test func aReceiverThatStopsSayingWhatItWroteHoldsTheSink() throws {
        try FaultServer.run([Answer.status(204, ["\(Self.written): 2"]), Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            let error = try sink.failure()
            #expect(error.failureClass == .configuration)
            #expect(error.hint.contains("proxy"))
            #expect(server.requests.map { $0.header("Content-Type") } == [Self.two, Self.two])
        }
    }

    @Test func aFixedVersionIsKept() throws {
        try FaultServer.run([Answer.status(204)]) { server in
            let error = try SinkDriver(server.url, Self.options("2")).failure()
            #expect(error.failureClass == .configuration)
            #expect(error.hint.contains("version"))
        }
        try FaultServer.run([Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url, Self.options("1"))
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.map { $0.header("Content-Type") } == [Self.one])
        }
    }

    @Test(arguments: [400, 409, 422])
    func aRefusalOfSamplesDoesNotHoldASinkThatOthersWereTakenFrom(status: Int) throws {
        let body = "out of order sample"
        for version in ["1", "auto"] {
            let taken = Answer.status(204, version == "1" ? [] : ["\(Self.written): 2"])
            let zero = version == "1" ? [] : ["\(Self.written): 0"]
            try FaultServer.run([
                Answer.status(status, zero, body: body), taken, Answer.status(status, zero, body: body),
            ]) {
                server in
                let sink = try SinkDriver(server.url, Self.options(version))
                if version == "1" {
                    #expect(try sink.failure().failureClass == .permanentData)
                } else {
                    // It says that it has read them: a backlog that is too old holds no agent that has just started.
                    #expect(try sink.deliver() == .completed)
                    #expect(sink.harness.delivery.rejectedPoints == 2)
                }
                #expect(try sink.deliver() == .completed)
                #expect(try sink.deliver() == .completed)
                #expect(sink.harness.delivery.rejectedPoints == 2)
                #expect(sink.harness.delivery.message.contains(body))
            }
        }
    }

    /// The length that snappy's block format begins with.
    private static func length(_ packed: [UInt8]) throws -> Int {
        var (value, shift) = (0, 0)
        for byte in packed {
            value |= Int(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return -1
    }
}
