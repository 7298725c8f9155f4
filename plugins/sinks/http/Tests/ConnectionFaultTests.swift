import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Connections that fail, hang or break, over real sockets.
@Suite struct ConnectionFaultTests {
    private static let impatient: [String: FakeHost.Option] = ["timeout": .duration(.milliseconds(300))]

    @Test func nobodyListening() throws {
        let (port, holder) = try Loopback.closedPort()
        defer { close(holder) }
        let error = try SinkDriver("http://127.0.0.1:\(port)/").failure()
        #expect(error.code == "SND-CRL003")
        #expect(error.failureClass == .transient)
        #expect(error.message.hasPrefix("http://127.0.0.1:\(port)/: No connection to the receiver (libcurl 7: "))
    }

    // A label of 64 letters is refused by the resolver itself: no query is sent.
    @Test func aNameThatDoesNotResolve() throws {
        let error = try SinkDriver("http://\(String(repeating: "x", count: 64)).invalid/").failure()
        #expect(error.code == "SND-CRL001")
        #expect(error.failureClass == .transient)
    }

    @Test func aProxyWhoseNameDoesNotResolve() throws {
        let proxy = "http://\(String(repeating: "x", count: 64)).invalid:3128"
        let error = try SinkDriver("http://127.0.0.1:9/", ["proxy": .string(proxy)]).failure()
        #expect(error.code == "SND-CRL002")
    }

    @Test func aReceiverThatNeverReadsTimesOut() throws {
        try FaultServer.run(Answer.hang) { server in
            let error = try SinkDriver(server.url, Self.impatient.merging(.unpacked) { $1 }).failure(.large(20 << 20))
            #expect(error.code == "SND-CRL004")
            #expect(error.failureClass == .transient)
        }
    }

    @Test func aReceiverThatNeverAnswersTimesOut() throws {
        try FaultServer.run(Answer.silence) { server in
            let error = try SinkDriver(server.url, Self.impatient).failure()
            #expect(error.code == "SND-CRL004")
        }
    }

    @Test func theDeadlineOfTheCallHoldsWhenItIsTheShorterOne() throws {
        try FaultServer.run(Answer.silence) { server in
            let sink = try SinkDriver(server.url, ["timeout": .duration(.seconds(600))])
            let error = try sink.failure(timeout: .milliseconds(300))
            #expect(error.code == "SND-CRL004")
        }
    }

    @Test func aDeadlineThatHasPassedIsATimeout() throws {
        try FaultServer.run(Answer.silence) { server throws in
            #expect(try SinkDriver(server.url).failure(timeout: .seconds(-1)).code == "SND-CRL004")
        }
    }

    @Test func anEmptyReply() throws {
        try FaultServer.run(Answer.nothing) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-CRL005")
            #expect(error.failureClass == .transient)
            #expect(error.hint.contains("https://"))
            #expect(server.requests.count == 1)
        }
    }

    @Test func aResetBeforeTheRequestIsRead() throws {
        try FaultServer.run([Answer.resetBeforeReading, Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url)
            let error = try sink.failure()
            #expect(error.code == "SND-CRL005")
            #expect(error.failureClass == .transient)
            #expect(try sink.deliver(.sample(attempt: 1)) == .completed)
        }
    }

    @Test func aResetAfterTheRequestIsReadBringsTheSameBatchAgain() throws {
        try FaultServer.run([Answer.resetAfterReading, Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url)
            #expect(try sink.failure().code == "SND-CRL005")
            #expect(try sink.deliver(.sample(attempt: 1)) == .completed)
            let requests = server.requests
            #expect(requests.count == 2)
            #expect(Set(requests.map(\.body)).count == 1)
            #expect(Set(requests.map { $0.header("Sonde-Batch") }).count == 1)
        }
    }

    @Test func manyResetsStayTransient() throws {
        try FaultServer.run(Answer.resetAfterReading) { server in
            let sink = try SinkDriver(server.url)
            for _ in 0..<12 { #expect(try sink.failure().failureClass == .transient) }
        }
    }

    @Test func aKeptConnectionThatTheReceiverClosedIsReplaced() throws {
        let answerAndClose = Answer.raw("HTTP/1.1 204 No\r\n\r\n")
        try FaultServer.run([answerAndClose, Answer.status(204)]) { server in
            let sink = try SinkDriver(server.url)
            #expect(try sink.deliver(.sample(first: 1)) == .completed)
            #expect(try sink.deliver(.sample(first: 3)) == .completed)
            #expect(server.requests.map(\.connection) == [0, 1])
        }
    }

    @Test func twoInstancesDoNotDisturbEachOther() throws {
        let slow = try FaultServer([Answer.silence])
        defer { slow.shutDown() }
        try FaultServer.run(Answer.status(204)) { server in
            let hanging = try SinkDriver(slow.url)
            let background = Background { try hanging.deliver() }
            #expect(try SinkDriver(server.url).deliver() == .completed)
            hanging.harness.cancel()
            #expect(try background.wait() == .cancelled)
        }
    }

    @Test func aReceiverMayThinkForAsLongAsTheTimeoutSays() throws {
        // Longer than libcurl's own idea of a transfer that is too slow, which was 15 s here.
        let late: FaultServer.Step = { connection in
            guard connection.readRequest(), connection.pause(milliseconds: 17_000) else { return connection.finish() }
            connection.write(Answer.head("204 Words", []))
        }
        try FaultServer.run(late) { server in
            let sink = try SinkDriver(server.url, ["timeout": .duration(.seconds(60))])
            #expect(try sink.deliver(timeout: .seconds(60)) == .completed)
        }
    }
}
