import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Answers that break off, make no sense or do not end, over real sockets.
@Suite struct BrokenAnswerTests {
    private static let impatient: [String: FakeHost.Option] = ["timeout": .duration(.milliseconds(300))]

    @Test func aSuccessWithAShortBodyIsADelivery() throws {
        try FaultServer.run(Answer.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")) { server in
            let sink = try SinkDriver(server.url)
            #expect(try sink.deliver() == .completed)
            #expect(server.requests.count == 1)
            #expect(
                sink.harness.host.log == [
                    "debug: HTTP 200 and then a body that is broken: taken as delivered; 1 so far (libcurl 18)"
                ]
            )
        }
    }

    @Test func aSuccessWithABodyThatNeverEndsInTimeIsADelivery() throws {
        try FaultServer.run(Answer.slow("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", drip: "x")) { server in
            let sink = try SinkDriver(server.url, Self.impatient)
            #expect(try sink.deliver() == .completed)
            #expect(sink.harness.host.log.count == 1)
        }
    }

    @Test func aSuccessWithBadChunksIsADelivery() throws {
        try FaultServer.run(Answer.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n")) {
            server throws in
            #expect(try SinkDriver(server.url).deliver() == .completed)
        }
    }

    @Test func anErrorWithAShortBodyIsThatError() throws {
        try FaultServer.run(Answer.raw("HTTP/1.1 400 Bad\r\nContent-Length: 100\r\n\r\nline 3")) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-HTTP400")
            #expect(error.failureClass == .permanentData)
            #expect(error.message.hasSuffix(": line 3"))
        }
    }

    @Test func anEndlessBodyIsCutOff() throws {
        let block = String(repeating: "x", count: 65_536)
        let flood = Answer.flood("HTTP/1.1 500 Oops\r\nContent-Type: text/plain\r\n\r\n", block, count: 3_200)
        try FaultServer.run(flood) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-HTTP500")
            #expect(error.message.utf8.count <= 511)
            server.shutDown()
            // 200 MB were on offer: what went out is what fits into the sockets' buffers.
            #expect(server.largestWrite < 32 << 20)
        }
    }

    @Test(arguments: [(200, nil), (204, nil), (500, FailureClass.transient), (429, .rateLimited)])
    func endlessTrailersAreCutOff(status: Int, expected: FailureClass?) throws {
        try FaultServer.run(Self.trailers(status)) { server in
            let sink = try SinkDriver(server.url)
            if let expected {
                #expect(try sink.failure().failureClass == expected)
            } else {
                #expect(try sink.deliver() == .completed)
            }
            server.shutDown()
            #expect(server.largestWrite < 32 << 20)
        }
    }

    @Test func endlessTrailersTakeNoMemory() async {
        // In its own process: the peak is that of this delivery.
        await #expect(processExitsWith: .success) {
            try FaultServer.run(Self.trailers(200)) { server in
                let sink = try SinkDriver(server.url)
                let before = try Self.peakKilobytes()
                try sink.deliver()
                #expect(try Self.peakKilobytes() - before < 16 << 10)
            }
        }
    }

    @Test func endlessInterimAnswersAreCutOff() throws {
        let line = "HTTP/1.1 103 Early\r\nLink: \(String(repeating: "x", count: 1_024))\r\n\r\n"
        try FaultServer.run(Answer.flood("", line, count: 200_000)) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-CRL006")
            #expect(error.failureClass == .transient)
            server.shutDown()
            #expect(server.largestWrite < 32 << 20)
        }
    }

    // A body of one chunk, and then 200 MB of trailers.
    private static func trailers(_ status: Int) -> FaultServer.Step {
        let line = "X-Trailer: \(String(repeating: "x", count: 1_010))\r\n"
        let start = "HTTP/1.1 \(status) Words\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
        return Answer.flood(start, String(repeating: line, count: 64), count: 3_200)
    }

    private static func peakKilobytes() throws -> Int {
        let status = try Fixtures.contents(of: "/proc/self/status")
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test func aPackedBodyIsNotUnpacked() throws {
        let head = "HTTP/1.1 500 Oops\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n"
        try FaultServer.run(Answer.raw(head + "bomb")) { server throws in
            #expect(try SinkDriver(server.url).failure().message.hasSuffix(": bomb"))
        }
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 banana\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"])
    func whatIsNoHTTPBecomesAConfigurationErrorAfterTenInARow(answer: String) throws {
        try FaultServer.run(Answer.raw(answer)) { server in
            let sink = try SinkDriver(server.url)
            var classes: [FailureClass] = []
            for _ in 0..<10 {
                let error = try sink.failure()
                #expect(error.code == "SND-CRL006")
                classes.append(error.failureClass)
            }
            #expect(classes == [FailureClass](repeating: .transient, count: 9) + [.configuration])
        }
    }

    @Test func aHeaderLineWithoutEndIsNotOurLackOfMemory() throws {
        let flood = Answer.flood("HTTP/1.1 200 OK\r\nX-Long: ", String(repeating: "x", count: 1_024), count: 400)
        try FaultServer.run(flood) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-CRL006")
            #expect(error.failureClass == .transient)
        }
    }

    @Test func headersWithoutNumberAreCutOff() throws {
        let line = "X-Header: \(String(repeating: "x", count: 20))\r\n"
        try FaultServer.run(Answer.flood("HTTP/1.1 200 OK\r\n", line, count: 20_000)) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.code == "SND-CRL006")
        }
    }

    @Test func interimAnswersAreNotTheAnswer() throws {
        let answer = "HTTP/1.1 103 Early\r\nRetry-After: 1\r\n\r\nHTTP/1.1 204 No\r\n\r\n"
        try FaultServer.run(Answer.raw(answer)) { server throws in
            #expect(try SinkDriver(server.url).deliver() == .completed)
        }
    }

    @Test func aHeaderSectionThatNeverEndsIsNoAnswer() throws {
        try FaultServer.run(Answer.slow("HTTP/1.1 200 OK\r\n", drip: "X-A: b\r\n")) { server in
            let error = try SinkDriver(server.url, Self.impatient).failure()
            #expect(error.code == "SND-CRL004")
            #expect(error.failureClass == .transient)
        }
    }

    @Test func whatAReceiverSaysIsMadeFitForALog() throws {
        let body = "a\u{1b}[31m\u{202e}b\r\nc"
        try FaultServer.run(Answer.status(400, body: body)) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.message.hasSuffix(#": a\u{1b}[31m\u{202e}b c"#))
        }
    }

    @Test(arguments: [0, 1, 20, 40, 55, 60, 63])
    func aSecretInTheStatusLineIsHiddenWhereverItIsCut(lead: Int) throws {
        let words = String(repeating: "w", count: lead)
        try FaultServer.run(Answer.raw("HTTP/1.1 403 \(words) token-0123456789\r\nContent-Length: 0\r\n\r\n")) {
            server throws in
            let error = try SinkDriver(server.url, Self.token).failure()
            #expect(!error.message.contains("tok"))
        }
    }

    @Test func aSecretInALocationIsHidden() throws {
        let options = Self.token.merging(["auth.bearer": .string("token?0123456789")]) { $1 }
        try FaultServer.run(Answer.status(302, ["Location: https://h/token%3f0123456789/token?0123456789"])) { server in
            let error = try SinkDriver(server.url, options).failure()
            #expect(error.message == "HTTP 302 Words from \(server.url) to https://h/***/***")
        }
    }

    @Test func aSecretThatIsRepeatedIsHiddenToTheEnd() throws {
        let echo = String(repeating: "token-0123456789 ", count: 5_000)
        try FaultServer.run(Answer.status(400, body: echo)) { server in
            let error = try SinkDriver(server.url, Self.token).failure()
            #expect(!error.message.contains("tok"))
        }
    }

    @Test func aPageIsShownAsOneSentence() throws {
        let page = "<html>\r\n<head><title>502</title></head>\r\n<body>\r\n<h1>Bad gateway</h1>\r\n</body></html>\r\n"
        try FaultServer.run(Answer.status(502, body: page)) { server in
            let error = try SinkDriver(server.url).failure()
            #expect(error.message == "HTTP 502 Words from \(server.url): Bad gateway")
        }
    }

    private static let token: [String: FakeHost.Option] = [
        "auth.bearer": .string("token-0123456789"), "allow_insecure": .bool(true),
    ]

    @Test func aReceiverThatEchoesTheRequestPutsNoSecretIntoTheMessage() throws {
        let echo = "no: token-0123456789 and key-abcdefgh at /ingest?sig=deadbeef"
        try FaultServer.run(Answer.status(403, body: echo)) { server in
            let options: [String: FakeHost.Option] = [
                "auth.bearer": .string("token-0123456789"), "allow_insecure": .bool(true),
                "headers": .map([Attribute("X-Key", "key-abcdefgh")]),
            ]
            let error = try SinkDriver(server.url + "?sig=deadbeef", options).failure()
            #expect(error.message == "HTTP 403 Words from \(server.url): no: *** and *** at /ingest?***")
            #expect(server.requests.first?.line == "POST /ingest?sig=deadbeef HTTP/1.1")
            #expect(server.requests.first?.header("Authorization") == "Bearer token-0123456789")
        }
    }
}
