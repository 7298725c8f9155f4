import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Deliveries that the host ends.
@Suite struct CancellationTests {
    @Test func aDeliveryThatWaitsForAnAnswerEndsAtOnce() throws {
        let request = Signal()
        let step: FaultServer.Step = { connection in
            connection.readRequest()
            request.fire()
            connection.waitForEnd()
        }
        try FaultServer.run(step) { server in
            let sink = try SinkDriver(server.url, ["timeout": .duration(.seconds(60))])
            let delivery = Background { try sink.deliver(timeout: .seconds(60)) }
            request.wait()
            let clock = ContinuousClock()
            let start = clock.now
            sink.harness.cancel()
            #expect(try delivery.wait() == .cancelled)
            // 0.1 s is the promise; the rest is for a busy machine. Every timeout is a minute away.
            #expect(clock.now - start < .seconds(5))
        }
    }

    @Test func aDeliveryThatSendsEndsAtOnce() throws {
        let begun = Signal()
        let step: FaultServer.Step = { connection in
            begun.fire()
            connection.waitForEnd()
        }
        try FaultServer.run(step) { server in
            let options: [String: FakeHost.Option] = ["timeout": .duration(.seconds(60))]
            let sink = try SinkDriver(server.url, options.merging(.unpacked) { $1 })
            let delivery = Background { try sink.deliver(.large(20 << 20), timeout: .seconds(60)) }
            begun.wait()
            sink.harness.cancel()
            #expect(try delivery.wait() == .cancelled)
        }
    }

    @Test func aCallThatIsCancelledBeforehandSendsNothing() throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url)
            sink.harness.cancel()
            #expect(try sink.deliver() == .cancelled)
            #expect(server.connectionCount == 0)
        }
    }
}
