import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// Formats over real sockets: what is sent, and what answers to it mean.
@Suite struct ProfileTests {
    private static let influx: [String: FakeHost.Option] = ["format": .string("influx")]

    @Test func influxSendsItsLines() throws {
        try FaultServer.run(Answer.status(204)) { server in
            #expect(try SinkDriver(server.url, Self.influx).deliver() == .completed)
            let request = try #require(server.requests.first)
            #expect(request.header("Content-Type") == "text/plain; charset=utf-8")
            let body = try request.body.unpacked()
            #expect(body == Batch.sample().body(in: .influx))
            #expect(body.starts(with: "test.ratio,".utf8))
        }
    }

    @Test func aPartialWriteMeansNothingInAnotherFormat() throws {
        try FaultServer.run(Answer.status(400, body: "partial write: dropped=1")) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.failureClass == .permanentData)
        }
    }

    @Test(arguments: ["json", "influx"], [nil, "gzip", "zstd", "none"])
    func aBodyIsPackedAsAskedForAndTheSameAgain(format: String, compression: String?) throws {
        try FaultServer.run([Answer.status(503), Answer.status(204)]) { server in
            let sink = try SinkDriver(
                server.url,
                ["format": .string(format)].merging(compression.map { ["compression": .string($0)] } ?? [:]) { $1 })
            _ = try sink.failure()
            #expect(try sink.deliver() == .completed)
            let encoding = compression == "none" ? nil : compression ?? "gzip"
            #expect(server.requests.map { $0.header("Content-Encoding") } == [encoding, encoding])
            let bodies = server.requests.map(\.body)
            #expect(bodies[0] == bodies[1])
            let lines = Batch.sample().body(in: try #require(LineFormat(rawValue: format)))
            #expect(try bodies[0].unpacked() == lines)
            #expect((bodies[0] == lines) == (encoding == nil))
        }
    }

    @Test func aWordThatIsNotKnownIsRefused() throws {
        for (option, word) in [("format", "xml"), ("compression", "br"), ("compression", "snappy")] {
            let error = try #require(throws: PluginError.self) {
                _ = try SinkDriver.create("https://h/", [option: .string(word)])
            }
            #expect(error.code == "SND-URL001")
            #expect(error.optionPath == option)
        }
    }
}
