import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// What answers of InfluxDB 1.x and 2.x to line protocol mean, over real sockets.
@Suite struct InfluxTests {
    private static let influx: [String: FakeHost.Option] = ["format": .string("influx")]

    private static let conflict =
        #"{"code":"unprocessable entity","message":"failure writing points to database: partial write: field type "#
        + #"conflict: input field \"value\" on measurement \"test.ratio\" is type float, already exists as type "#
        + #"integer dropped=3"}"#

    @Test(arguments: [
        (400, #"{"error":"partial write: points beyond retention policy dropped=1"}"#, UInt64(1)),
        (400, #"{"error":"partial write: dropped=7 is in a field dropped=2"}"#, 2),
        (400, #"{"error":"partial write: unable to parse 'a b': bad; unable to parse 'c d': bad dropped=0"}"#, 2),
        (400, #"{"error":"partial write: for reasons of its own dropped=0"}"#, 1),
        (400, #"{"error":"partial write: dropped=18446744073709551615"}"#, 9),
        (422, conflict, 3), (422, "", 1), (422, #"{"message":"dropped=99999999999999999999"}"#, 1),
    ])
    func whatItHasDroppedOfABatchIsCountedAndNothingIsSentAgain(
        status: Int, body: String, rejected: UInt64
    ) throws {
        try FaultServer.run(Answer.status(status, body: body)) { server in
            let sink = try SinkDriver(server.url, Self.influx)
            #expect(try sink.deliver(.gauges(9)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == rejected)
            let message = sink.harness.delivery.message
            if let mark = body.firstRange(of: "partial write:") {
                #expect(message == "HTTP \(status): \(body[mark.lowerBound...])")
            } else {
                #expect(message.hasPrefix("HTTP \(status) Words from \(server.url)"))
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func whatTheFormatLeavesOutIsCountedBeside() throws {
        try FaultServer.run(Answer.status(400, body: "partial write: dropped=5")) { server in
            let sink = try SinkDriver(server.url, Self.influx)
            #expect(try sink.deliver() == .completed)
            // One of the two points is an integer beyond the range of the format, and no more than the other can be lost.
            #expect(sink.harness.delivery.rejectedPoints == 2)
        }
    }

    @Test func aConflictNamesItsMeasurementAndNoSecret() throws {
        let echo = Self.conflict + " s3cret-of-mine" + String(repeating: "x", count: 60_000)
        try FaultServer.run(Answer.status(422, body: echo)) { server in
            let options: [String: FakeHost.Option] = [
                "headers": .map([Attribute("Authorization", "Token s3cret-of-mine")]), "allow_insecure": .bool(true),
            ]
            let sink = try SinkDriver(server.url, Self.influx.merging(options) { $1 })
            #expect(try sink.deliver(.gauges(9)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 3)
            let message = sink.harness.delivery.message
            #expect(message.contains(#"on measurement \"test.ratio\" is type float"#))
            #expect(!message.contains("s3cret"))
            #expect(message.contains("dropped=3\"} ***"))
            #expect(message.utf8.count < 500)
            #expect(server.requests.first?.header("Authorization") == "Token s3cret-of-mine")
        }
    }

    @Test(arguments: [
        #"{"error":"partial write: dropped="}"#, #"{"error":"unable to parse 'x': dropped=2"}"#,
        #"{"error":"partial write: dropped=99999999999999999999"}"#, "", #"{"error":"database is required"}"#,
    ])
    func aRefusalOfAllIsSetAsideUntilItHasTakenABatchAndCountedFromThenOn(body: String) throws {
        let steps = [Answer.status(400, body: body), Answer.status(204), Answer.status(400, body: body)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.influx)
            #expect(try sink.failure().failureClass == .permanentData)
            #expect(try sink.deliver(.gauges(3)) == .completed)
            #expect(sink.harness.delivery.rejectedPoints == 0)
            for _ in 0..<30 {
                #expect(try sink.deliver(.gauges(3)) == .completed)
                #expect(sink.harness.delivery.rejectedPoints == 3)
                #expect(sink.harness.delivery.message.hasPrefix("HTTP 400"))
            }
        }
    }

    @Test func aMissingDatabaseIsHeldWithItsOwnWords() throws {
        try FaultServer.run([Answer.status(204), Answer.status(404)]) { server in
            let sink = try SinkDriver(server.url, Self.influx)
            #expect(try sink.deliver(.gauges(1)) == .completed)
            let error = try sink.failure()
            #expect(error.hint.contains("bucket"))
            #expect(error.failureClass == .accessRefused)
        }
    }

    @Test(arguments: [
        "/write?db=net&precision=ms", "/api/v2/write?org=o&bucket=b&precision=us", "/write?precision=s&db=net",
        "/write?precision=", "/write?precision",
    ])
    func aPrecisionThatTheLinesDoNotHaveIsRefused(query: String) throws {
        let error = try #require(throws: PluginError.self) {
            _ = try SinkDriver.create("https://h\(query)", Self.influx)
        }
        #expect(error.code == "SND-URL001")
        #expect(error.optionPath == "url")
        _ = try SinkDriver.create("https://h\(query)")
    }

    @Test(arguments: ["/write?db=net", "/write?db=net&precision=n", "/api/v2/write?org=o&bucket=b&precision=ns"])
    func theQueryIsSentAsItIs(query: String) throws {
        try FaultServer.run(Answer.status(204)) { server in
            let url = "http://127.0.0.1:\(server.port)\(query)"
            let sink = try SinkDriver(url, Self.influx)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.first?.line == "POST \(query) HTTP/1.1")
        }
    }

    @Test func aTokenOverHTTPIsRefused() throws {
        let token: [String: FakeHost.Option] = ["headers": .map([Attribute("Authorization", "Token t")])]
        let error = try #require(throws: PluginError.self) {
            _ = try SinkDriver.create("http://h/api/v2/write", Self.influx.merging(token) { $1 })
        }
        #expect(error.code == "SND-AUT001")
        #expect(error.optionPath == "headers.Authorization")
    }
}

extension Batch {
    /// As many points of one gauge.
    fileprivate static func gauges(_ count: Int) -> Batch {
        let sample = Batch.sample()
        return Batch(
            identity: sample.identity, sink: sample.sink, resource: sample.resource, series: sample.series,
            entries: Array(repeating: sample.entries[1], count: count))
    }
}
