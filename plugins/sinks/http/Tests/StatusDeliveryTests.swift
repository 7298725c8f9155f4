import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// What the sink makes of statuses, over real sockets.
@Suite struct StatusDeliveryTests {
    @Test(arguments: [200, 202, 204])
    func aSuccessIsADelivery(status: Int) throws {
        try FaultServer.run(Answer.status(status)) { server in
            let sink = try SinkDriver(server.url)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.count == 1)
        }
    }

    @Test func theRequestIsWhatTheContractSays() throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(
                server.url, ["headers": .map([Attribute("X-Scope-OrgID", "fra"), Attribute("X-Empty", "")])])
            try sink.deliver(.sample())
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /ingest HTTP/1.1")
            #expect(try request.body.unpacked() == Batch.sample().expectedBody)
            #expect(
                request.headers.map { "\($0.name): \($0.value)" } == [
                    "Host: 127.0.0.1:\(server.port)",
                    "User-Agent: sonde/0.1.0",
                    "Content-Type: application/x-ndjson",
                    "Content-Encoding: gzip",
                    "Sonde-Batch: \(Batch.agent)/e1/41-42",
                    "Sonde-Sink: central",
                    "Sonde-Points: 2",
                    "X-Scope-OrgID: fra",
                    "X-Empty: ",
                    "Content-Length: \(request.body.count)",
                ]
            )
        }
    }

    @Test func tenServerErrorsAndASuccessAreOneDelivery() throws {
        let failures = [FaultServer.Step](repeating: Answer.status(500, body: "try later"), count: 10)
        let server = try FaultServer(failures + [Answer.status(204)])
        defer { server.shutDown() }
        let sink = try SinkDriver(server.url)
        for attempt in 0..<10 {
            let error = try sink.failure(.sample(attempt: attempt))
            #expect(error.code == "SND-HTTP500")
            #expect(error.failureClass == .transient)
            #expect(error.message == "HTTP 500 Words from \(server.url): try later")
        }
        #expect(try sink.deliver(.sample(attempt: 10)) == .completed)
        let requests = server.requests
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(try requests.first?.body.unpacked() == Batch.sample().expectedBody)
        #expect(Set(requests.map { $0.header("Sonde-Batch") }) == ["\(Batch.agent)/e1/41-42"])
        let attempts: [String?] = [nil] + (1...10).map { "\($0)" }
        #expect(requests.map { $0.header("Retry-Attempt") } == attempts)
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: [
        (429, FailureClass.rateLimited), (503, .transient), (400, .permanentData), (401, .accessRefused),
        (403, .accessRefused), (404, .accessRefused), (405, .configuration), (408, .transient), (409, .permanentData),
        (413, .tooLarge), (415, .configuration), (422, .permanentData), (501, .configuration), (502, .transient),
        (522, .transient), (507, .transient), (418, .configuration), (304, .configuration),
    ])
    func aStatusHasItsClass(status: Int, expected: FailureClass) throws {
        try FaultServer.run(Answer.status(status)) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-HTTP\(status)")
            #expect(error.failureClass == expected)
            #expect(error.retryAfter == nil)
            #expect(!error.hint.isEmpty)
        }
    }

    private static let waits: [(headers: [String], seconds: Int64)] = [
        (["Retry-After: 120"], 120),
        (["Date: Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After: Thu, 01 Jan 2026 00:01:30 GMT"], 90),
        (["Date: Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After: Thu, 01 Jan 2015 00:01:30 GMT"], 0),
        (["Retry-After: 99999999999999999999999999"], 900),
        (["Retry-After: abc"], 10),
        (["Retry-After: -5"], 0),
        (["Retry-After: 7", "Retry-After: 30"], 30),
    ]

    @Test(arguments: waits)
    func aWaitThatIsAskedForIsPassedOn(headers: [String], seconds: Int64) throws {
        try FaultServer.run(Answer.status(429, headers)) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.failureClass == .rateLimited)
            #expect(error.retryAfter == .seconds(seconds))
        }
    }

    @Test func unavailableWithAWaitIsASlowDown() throws {
        try FaultServer.run(Answer.status(503, ["Retry-After: 3"])) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.failureClass == .rateLimited)
            #expect(error.retryAfter == .seconds(3))
        }
    }

    @Test func aRefusalWhileTheBodyIsOnItsWayIsReadAllTheSame() throws {
        try FaultServer.run(Answer.early(413)) { server in
            let error = try SinkDriver(server.url, .unpacked).failure(.large(20 << 20))
            #expect(error.failureClass == .tooLarge)
            #expect(error.code == "SND-HTTP413")
        }
    }

    @Test func aBodyBeyondTheLimitIsNotSentAndItsBatchIsHalved() throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url, ["max_body": .size(64 << 10)])
            let error = try sink.failure(.large(65 << 10))
            #expect(error.failureClass == .tooLarge)
            #expect(error.code == "SND-HTTP413")
            #expect(error.optionPath == "max_body")
            #expect(server.connectionCount == 0)
            #expect(try sink.deliver(.large(60 << 10)) == .completed)
        }
    }

    @Test func aBatchWithoutLinesMakesNoRequest() throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url)
            let identity = BatchIdentity(agent: "a", epoch: "e", first: 1, last: 9)
            #expect(try sink.deliver(Batch(identity: identity, sink: "central")) == .completed)
            #expect(server.connectionCount == 0)
        }
    }

    @Test func connectionsAreKeptFromOneDeliveryToTheNext() throws {
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url)
            for number in 0..<5 { try sink.deliver(.sample(first: UInt64(number * 2 + 1))) }
            #expect(server.requests.map(\.connection) == [0, 0, 0, 0, 0])
        }
    }
}
