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
        // With 400 it is asked by an empty request whether that is about the samples; 204 alone does not say so.
        let refusal = [status] + (status == 400 ? [204] : [])
        try FaultServer.run((refusal + [204, 204]).map { Answer.status($0) }) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(try sink.deliver() == .completed)
            let two = refusal.map { _ in Self.two }
            #expect(server.requests.map { $0.header("Content-Type") } == two + [Self.one, Self.one])
            #expect(
                server.requests.map { $0.header("X-Prometheus-Remote-Write-Version") }
                    == refusal.map { _ in "2.0.0" } + ["0.1.0", "0.1.0"])
        }
    }

    @Test func aReceiverThatWantsTwoAgainGetsIt() throws {
        let steps = [Answer.status(415), Answer.status(415), Answer.status(204, ["\(Self.written): 2"])]
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

    /// An agent that has just started knows of no sample that the receiver took: an empty request tells.
    @Test(arguments: [400, 409, 422], ["1", "2", "auto"])
    func aRefusalIsAboutSamplesWhereAnEmptyRequestIsTaken(status: Int, version: String) throws {
        let refused = Answer.status(status, body: "out of order sample")
        let taken = Answer.status(204, version == "1" ? [] : ["\(Self.written): 0"])
        try FaultServer.run([refused, taken, refused, refused]) { server in
            let sink = try SinkDriver(server.url, Self.options(version))
            for _ in 0..<3 {
                #expect(try sink.deliver() == .completed)
                #expect(sink.harness.delivery.rejectedPoints == 2)
                #expect(sink.harness.delivery.message.contains("out of order sample"))
            }
            #expect(server.requests.count == 4)
            #expect(Set(server.requests.map { $0.header("Content-Type") }) == [version == "1" ? Self.one : Self.two])
            let empty = try #require(server.requests.dropFirst().first)
            #expect(empty.header("Content-Encoding") == "snappy")
            #expect(empty.body == (version == "1" ? [0] : [2, 4, 0x22, 0]))
        }
    }

    /// Of 2.0 a success alone says nothing.
    @Test func aRefusalIsNotAboutSamplesWhereAnEmptyRequestIsNoneOfTwo() throws {
        try FaultServer.run([Answer.status(400), Answer.status(204)]) { server in
            let error = try SinkDriver(server.url, Self.options("2")).failure()
            #expect(error.failureClass == .configuration)
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: [400, 404, 401, 408])
    func aRefusalStaysOneWhereAnEmptyRequestIsRefusedToo(status: Int) throws {
        let steps = [Answer.status(400, body: "no such tenant"), Answer.status(status), Answer.status(400)]
        try FaultServer.run(steps + [Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url, Self.options("1"))
            let error = try sink.failure()
            #expect(error.failureClass == .permanentData)
            #expect(error.code == "SND-HTTP400" && error.message.contains("no such tenant"))
            // The next refusal asks again.
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.count == 4)
        }
    }

    @Test(arguments: [429, 503])
    func aReceiverThatCannotSayNowIsAskedAgainWithTheBatch(status: Int) throws {
        let steps = [Answer.status(400), Answer.status(status), Answer.status(400), Answer.status(204)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options("1"))
            #expect(try sink.failure().code == "SND-HTTP\(status)")
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 2)
        }
    }

    @Test(arguments: [400, 409, 422])
    func aRefusalOfSamplesDoesNotHoldASinkThatOthersWereTakenFrom(status: Int) throws {
        let body = "out of order sample"
        for version in ["1", "auto"] {
            let taken = Answer.status(204, version == "1" ? [] : ["\(Self.written): 2"])
            let zero = version == "1" ? [] : ["\(Self.written): 0"]
            try FaultServer.run([taken, Answer.status(status, zero, body: body)]) { server in
                let sink = try SinkDriver(server.url, Self.options(version))
                #expect(try sink.deliver() == .completed)
                #expect(try sink.deliver() == .completed)
                #expect(sink.harness.delivery.rejectedPoints == 2)
                #expect(sink.harness.delivery.message.contains(body))
                #expect(server.requests.count == 2)
            }
        }
    }

    /// What of 2.0 was written says that it has read them: a backlog that is too old holds no agent that has just started.
    @Test func aRefusalThatSaysWhatWasWrittenNeedsNoQuestion() throws {
        try FaultServer.run(Answer.status(400, ["\(Self.written): 0"])) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 2)
            #expect(server.requests.count == 1)
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
