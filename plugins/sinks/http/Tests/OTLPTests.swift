import SondeDomain
import SondeFormats
import SondeGzip
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// OTLP over real sockets: what is sent, and what answers mean.
@Suite struct OTLPTests {
    private static func options(_ more: [String: FakeHost.Option] = [:]) -> [String: FakeHost.Option] {
        more.merging(["format": .string("otlp")]) { $1 }
    }

    private static func body(_ settings: OTLPSettings = OTLPSettings(), _ batch: Batch = .sample()) -> [UInt8] {
        var buffer = ByteBuffer()
        var encoder = OTLPEncoder(settings)
        _ = encoder.encode(batch, into: &buffer)
        return buffer.bytes
    }

    /// An answer whose body is `partial_success`.
    private static func partial(_ rejected: UInt8, _ message: String) -> FaultServer.Step {
        let inner = [0x08, rejected, 0x12, UInt8(message.utf8.count)] + Array(message.utf8)
        let bytes = [0x0a, UInt8(inner.count)] + inner
        return Answer.status(200, body: String(decoding: bytes, as: UTF8.self))
    }

    @Test func aRequestIsProtobufInGzip() throws {
        try FaultServer.run([Answer.status(503), Answer.status(200)]) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.failure().failureClass == .transient)
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            let request = try #require(server.requests.first)
            #expect(request.header("Content-Type") == "application/x-protobuf")
            #expect(request.header("Content-Encoding") == "gzip")
            #expect(request.header("Sonde-Batch") == nil)
            #expect(try request.body.unpacked() == Self.body())
            #expect(server.requests.map(\.body) == [request.body, request.body])
        }
    }

    /// What a receiver has moves on with its acknowledgement, and not with an attempt.
    @Test func differencesAreThoseToWhatWasAcknowledged() throws {
        try FaultServer.run([503, 200, 400, 200].map { Answer.status($0) }) { server in
            let sink = try SinkDriver(
                server.url, Self.options(["temporality": .string("delta"), "compression": .string("none")]))
            // It may have begun before the sink: it is compared to nothing, and nothing is sent.
            #expect(try sink.deliver(Self.counter(10, 5)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(server.requests.isEmpty)
            #expect(try sink.failure(Self.counter(20, 8)).failureClass == .transient)
            #expect(try sink.deliver(Self.counter(20, 8)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            #expect(try sink.deliver(Self.counter(30, 10)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(try sink.deliver(Self.counter(40, 11)) == .completed)
            let settings = OTLPSettings(temporality: .delta)
            let once = Self.body(settings, Self.counter(20, 3, since: 10))
            let refused = Self.body(settings, Self.counter(30, 2, since: 20))
            let both = Self.body(settings, Self.counter(40, 3, since: 20))
            #expect(server.requests.map(\.body) == [once, once, refused, both])
        }
    }

    /// A batch of one point of a counter.
    private static func counter(_ second: Int64, _ value: UInt64, since start: Int64? = nil) -> Batch {
        let series = Series(id: SeriesID(rawValue: 1), source: "kernel", name: "a", kind: .counter, unit: "By")
        let point = MetricPoint(
            series: series.id, time: Timestamp(seconds: second), start: start.map { Timestamp(seconds: $0) },
            value: .unsigned(value))
        return Batch(
            identity: BatchIdentity(
                agent: Batch.agent, epoch: "e1", first: UInt64(second), last: UInt64(second)),
            sink: "central", series: [series], entries: [Batch.Entry(seriesIndex: 0, point: point)])
    }

    @Test func itsOptionsReachTheBody() throws {
        try FaultServer.run(Answer.status(200)) { server in
            let sink = try SinkDriver(
                server.url,
                Self.options([
                    "compression": .string("none"), "job": .string("net"),
                    "resource_to_attributes": .list(["host.*"]),
                ]))
            #expect(try sink.deliver() == .completed)
            #expect(server.requests[0].header("Content-Encoding") == nil)
            #expect(
                server.requests[0].body
                    == Self.body(OTLPSettings(serviceName: "net", resourceToAttributes: ["host.*"])))
        }
    }

    @Test func anAnswerInJSONIsReadToARequestInProtobuf() throws {
        let partial = #"{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"too old"}}"#
        try FaultServer.run(Answer.status(200, body: partial)) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(server.requests.first?.header("Content-Type") == "application/x-protobuf")
        }
    }

    @Test func aRequestIsJSONWhereThatIsAskedFor() throws {
        let partial = #"{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"too old: \u001b[31m"}}"#
        let steps = [Answer.status(503, body: #"{"code":14,"message":"later"}"#), Answer.status(200, body: partial)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.options(["encoding": .string("json")]))
            #expect(try sink.failure().message.hasSuffix(": later"))
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(sink.harness.delivery.message.hasPrefix("the receiver has refused 1 of 2 data points: too old"))
            #expect(!sink.harness.delivery.message.contains("\u{1b}"))
            let request = try #require(server.requests.first)
            #expect(request.header("Content-Type") == "application/json")
            #expect(request.header("Content-Encoding") == "gzip")
            var buffer = ByteBuffer()
            var encoder = OTLPJSONEncoder()
            _ = encoder.encode(.sample(), into: &buffer)
            #expect(try request.body.unpacked() == buffer.bytes)
            #expect(server.requests.map(\.body) == [request.body, request.body])
        }
    }

    @Test func pointsThatAPartialSuccessRefusesAreRejected() throws {
        try FaultServer.run(Self.partial(1, "too old: \u{1b}[31m <b>site</b>")) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(sink.harness.delivery.message.hasPrefix("the receiver has refused 1 of 2 data points: too old"))
            #expect(!sink.harness.delivery.message.contains("\u{1b}"))
            #expect(server.requests.count == 1)
        }
    }

    @Test func moreCannotBeRefusedThanWasSent() throws {
        try FaultServer.run(Self.partial(99, "")) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 2)
        }
    }

    @Test func aCredentialThatAReceiverEchoesIsHidden() throws {
        try FaultServer.run(Self.partial(1, "no scope for topsecrettoken")) { server in
            let sink = try SinkDriver(
                server.url,
                Self.options(["auth.bearer": .string("topsecrettoken"), "allow_insecure": .bool(true)]))
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.message.contains("no scope for ***"))
        }
    }

    @Test func aWarningIsLoggedOnce() throws {
        try FaultServer.run([Self.partial(0, "use v2"), Self.partial(0, "use v2")]) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            let lines = sink.harness.host.log.filter { $0.contains("use v2") }
            #expect(lines.count == 1)
        }
    }

    @Test(arguments: ["", "<html>not OTLP</html>", "\u{0a}\u{7f}\u{08}\u{7f}\u{7f}"])
    func anyOtherBodyOfASuccessIsOne(body: String) throws {
        try FaultServer.run(Answer.status(200, body: body)) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.count == 1)
        }
    }

    /// An answer of so many bytes with `partial_success` at its end.
    private static func long(_ status: Int, _ length: Int) -> FaultServer.Step {
        let partial = "\u{0a}\u{07}\u{08}\u{01}\u{12}\u{03}old"
        var size: [UInt8] = []
        // A field that no receiver sends: 15, of bytes.
        var rest = length - partial.utf8.count - 5
        for _ in 0..<4 {
            size.append(UInt8(rest & 0x7f) | (size.count < 3 ? 0x80 : 0))
            rest >>= 7
        }
        let filler = String(repeating: "x", count: length - partial.utf8.count - 5)
        let head = Answer.head("\(status) Words", ["Content-Length: \(length)"])
        let body = [0x7a] + size + Array((filler + partial).utf8)
        return { connection in
            if connection.readRequest(), connection.write(Array(head.utf8)) { connection.write(body) }
            connection.finish()
        }
    }

    @Test func anAnswerIsReadToFourMebibytes() throws {
        try FaultServer.run(Self.long(200, 4 << 20)) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(sink.harness.delivery.message.hasSuffix("refused 1 of 2 data points: old"))
        }
    }

    @Test func aLongerAnswerOfASuccessIsOne() throws {
        try FaultServer.run(Self.long(200, (4 << 20) + 8)) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            #expect(sink.harness.host.log.contains { $0.contains("too long: taken as delivered") })
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [429, 503])
    func aLongerAnswerOfAFailureIsNotAskedForAgain(status: Int) throws {
        try FaultServer.run(Self.long(status, (4 << 20) + 1)) { server in
            let error = try SinkDriver(server.url, Self.options()).failure()
            #expect(error.code == "SND-HTTP\(status)")
            #expect(error.failureClass == .permanentData)
            #expect(error.hint.contains("4 MiB"))
        }
        try FaultServer.run(Self.long(status, 4 << 20)) { server in
            let error = try SinkDriver(server.url, Self.options()).failure()
            #expect(error.failureClass != .permanentData)
        }
    }

    @Test func onlyFourStatusesAreSentAgain() {
        let again = (400...599).filter { status in
            [.transient, .rateLimited].contains(Profile.otlp.rule(for: status).failureClass(asksToWait: false))
        }
        #expect(again == [429, 502, 503, 504])
        let held = (400...599).filter { status in
            [.accessRefused, .configuration].contains(Profile.otlp.rule(for: status).failureClass(asksToWait: false))
        }
        #expect(held == [401, 403, 404, 405, 407, 410, 415])
        #expect(Profile.otlp.rule(for: 413).failureClass(asksToWait: false) == .tooLarge)
        #expect(Profile.otlp.rule(for: 500).failureClass(asksToWait: true) == .permanentData)
    }

    @Test func aWaitThatAReceiverAsksForIsKept() throws {
        try FaultServer.run(Answer.status(503, ["Retry-After: 7"])) { server in
            let error = try SinkDriver(server.url, Self.options()).failure()
            #expect(error.failureClass == .rateLimited)
            #expect(error.retryAfter == .seconds(7))
        }
    }

    @Test func aFailureHasTheTextOfItsStatusMessage() throws {
        let body = "\u{08}\u{03}\u{12}\u{0a}no metrics"
        try FaultServer.run(Answer.status(500, body: body)) { server in
            let error = try SinkDriver(server.url, Self.options()).failure()
            #expect(error.failureClass == .permanentData)
            #expect(error.message.hasSuffix(": no metrics"))
        }
    }

    @Test(arguments: [400, 409, 422])
    func aRefusalOfPointsDoesNotHoldASinkThatOthersWereTakenFrom(status: Int) throws {
        let refused = Answer.status(status, body: "out of order")
        try FaultServer.run([refused, Answer.status(200), refused]) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.failure().failureClass == .permanentData)
            #expect(try sink.deliver() == .completed)
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 2)
            #expect(sink.harness.delivery.message.contains("out of order"))
        }
    }

    @Test func nothingToSendIsNoRequest() throws {
        try FaultServer.run(Answer.status(200)) { server in
            let sink = try SinkDriver(server.url, Self.options())
            #expect(try sink.deliver(.large(10)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 1)
            #expect(server.requests.isEmpty)
        }
    }
}
