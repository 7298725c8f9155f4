import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// TLS against real servers with certificates of our own.
@Suite(
    .enabled(
        if: TestProcess.path(of: "openssl") != nil && TestProcess.path(of: "nginx") != nil,
        "openssl or nginx is not installed"))
struct TLSTests {
    private let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    private func nginx(_ identity: CertificateAuthority.Identity, _ further: [String] = []) throws -> NginxReceiver {
        try NginxReceiver(
            tls: ["ssl_certificate \(identity.certificate);", "ssl_certificate_key \(identity.key);"] + further
        )
    }

    private var trusting: [String: FakeHost.Option] { ["tls.ca_file": .string(authority.file)] }

    @Test func aReceiverThatTheAuthorityVouchesForGetsTheBatch() throws {
        let receiver = try nginx(authority.issue("good", for: "IP:127.0.0.1"))
        defer { receiver.end() }
        let options = trusting.merging(["auth.bearer": .string("token-0123456789")]) { $1 }
        let sink = try SinkDriver(receiver.url("https"), options)
        for first in [1, 3, 5] as [UInt64] { #expect(try sink.deliver(.sample(first: first)) == .completed) }
        let entries = try receiver.entries(3)
        #expect(entries.count == 3)
        #expect(Set(entries.map(\.connection)).count == 1)
        #expect(Set(entries.map(\.protocol)) == ["HTTP/2.0"])
        #expect(try receiver.body(of: entries[2]).unpacked() == Batch.sample(first: 5).expectedBody)
    }

    @Test func aReceiverThatNobodyVouchesForIsRefused() throws {
        let receiver = try nginx(authority.issue("unknown", for: "IP:127.0.0.1"))
        defer { receiver.end() }
        let error = try SinkDriver(receiver.url("https")).failure()
        #expect(error.code == "SND-TLS003")
        #expect(error.failureClass == .configuration)
        #expect(error.hint.contains("tls.ca_file"))
    }

    @Test func aCertificateForAnotherNameIsRefused() throws {
        let receiver = try nginx(authority.issue("other", for: "DNS:other.example"))
        defer { receiver.end() }
        let error = try SinkDriver(receiver.url("https"), trusting).failure()
        #expect(error.code == "SND-TLS003")
        #expect(error.failureClass == .configuration)
        #expect(error.retryAfter == nil)
    }

    @Test func aCertificateOutOfItsTimePointsAtTheClock() throws {
        let expired = try authority.issue(
            "expired",
            for: "IP:127.0.0.1",
            from: "20200101000000Z",
            to: "20210101000000Z"
        )
        let future = try authority.issue("future", for: "IP:127.0.0.1", from: "20990101000000Z", to: "21000101000000Z")
        for identity in [expired, future] {
            let receiver = try nginx(identity)
            defer { receiver.end() }
            defer { receiver.end() }
            let error = try SinkDriver(receiver.url("https"), trusting).failure()
            #expect(error.code == "SND-TLS003")
            #expect(error.failureClass == .configuration)
            #expect(error.hint.contains("clock"))
            #expect(error.retryAfter == .seconds(60))
        }
    }

    @Test func anAuthorityReplacedOnDiskIsUsedByTheNextConnection() throws {
        let receiver = try nginx(authority.issue("rotated", for: "IP:127.0.0.1"))
        defer { receiver.end() }
        let directory = try TemporaryDirectory()
        let other = try CertificateAuthority()
        func text(_ authority: CertificateAuthority) throws -> String { try Fixtures.contents(of: authority.file) }
        let file = try directory.write("ca.pem", text(other))
        let sink = try SinkDriver(receiver.url("https"), ["tls.ca_file": .string(file)])
        #expect(try sink.failure().code == "SND-TLS003")
        _ = try directory.write("ca.pem", text(authority))
        #expect(try sink.deliver(.sample(attempt: 1)) == .completed)
    }

    @Test func anAuthorityThatVanishesIsAConfigurationError() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("ca.pem", Fixtures.contents(of: authority.file))
        try FaultServer.run(Answer.hang) { server in
            let sink = try SinkDriver("https://127.0.0.1:\(server.port)/", ["tls.ca_file": .string(file)])
            try directory.remove("ca.pem")
            let error = try sink.failure()
            #expect(error.code == "SND-TLS001")
            #expect(error.failureClass == .configuration)
            #expect(error.optionPath == "tls.ca_file")
        }
    }

    @Test func aClientCertificateOpensTheDoor() throws {
        let server = try OpenSSLServer(
            authority.issue("mutual", for: "IP:127.0.0.1"),
            ["-CAfile", authority.file, "-Verify", "2", "-verify_return_error", "-HTTP"]
        )
        defer { server.end() }
        let error = try SinkDriver(server.url, trusting).failure()
        #expect(error.code == "SND-TLS005")
        #expect(error.failureClass == .configuration)
        #expect(error.hint.contains("tls.cert_file"))

        let receiver = try nginx(
            authority.issue("strict", for: "IP:127.0.0.1"),
            ["ssl_client_certificate \(authority.file);", "ssl_verify_client on;"]
        )
        defer { receiver.end() }
        let client = try authority.issue("client", for: "DNS:agent.example")
        let options = trusting.merging([
            "tls.cert_file": .string(client.certificate), "tls.key_file": .string(client.key),
        ]) { $1 }
        #expect(try SinkDriver(receiver.url("https"), options).deliver() == .completed)
        #expect(try SinkDriver(receiver.url("https"), trusting).failure().code == "SND-HTTP400")
    }

    @Test func filesThatCannotBeUsedAreFoundByCreate() throws {
        let one = try authority.issue("one", for: "DNS:one.example")
        let two = try authority.issue("two", for: "DNS:two.example")
        let directory = try TemporaryDirectory()
        let text = try directory.write("text.pem", "this is no certificate\n")
        let empty = try directory.write("empty.pem", "")
        let cases: [(options: [String: FakeHost.Option], code: String, path: String)] = [
            (["tls.ca_file": .string(text)], "SND-TLS001", "tls.ca_file"),
            (["tls.ca_file": .string(empty)], "SND-TLS001", "tls.ca_file"),
            (["tls.ca_file": .string(one.key)], "SND-TLS001", "tls.ca_file"),
            (["tls.cert_file": .string(text)], "SND-TLS004", "tls.cert_file"),
            (["tls.cert_file": .string(one.certificate)], "SND-TLS004", "tls.cert_file"),
            (
                ["tls.cert_file": .string(one.certificate), "tls.key_file": .string(two.key)], "SND-TLS004",
                "tls.cert_file"
            ),
            (
                ["tls.cert_file": .string(one.certificate), "tls.key_file": .string(text)], "SND-TLS004",
                "tls.cert_file"
            ),
        ]
        for (options, code, path) in cases {
            let error = #expect(throws: PluginError.self, "\(options)") {
                try SinkDriver.create("https://metrics.example.net/", options)
            }
            #expect(error?.code == code, "\(options)")
            #expect(error?.failureClass == .configuration)
            #expect(error?.optionPath == path)
        }
    }

    @Test func filesThatCanBeUsedPassWithoutAConnection() throws {
        let one = try authority.issue("one", for: "DNS:one.example")
        let own: [String: FakeHost.Option] = [
            "tls.cert_file": .string(one.certificate), "tls.key_file": .string(one.key),
        ]
        try FaultServer.run(Answer.hang) { server in
            for options in [trusting, own, trusting.merging(own) { $1 }] {
                _ = try SinkDriver.create("https://127.0.0.1:\(server.port)/", options)
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test func aPortThatSpeaksNoTLSIsAConfigurationErrorTheThirdTime() throws {
        let plain: FaultServer.Step = { connection in
            connection.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            connection.waitForEnd()
            connection.finish()
        }
        try FaultServer.run(plain) { server in
            let sink = try SinkDriver("https://127.0.0.1:\(server.port)/")
            let errors = try (0..<3).map { _ in try sink.failure() }
            #expect(errors.map(\.code) == ["SND-TLS002", "SND-TLS002", "SND-TLS002"])
            #expect(errors.map(\.failureClass) == [.transient, .transient, .configuration])
        }
    }

    @Test func aReceiverThatIsTooOldIsAConfigurationErrorTheThirdTime() throws {
        let receiver = try nginx(authority.issue("old", for: "IP:127.0.0.1"), ["ssl_protocols TLSv1.2;"])
        defer { receiver.end() }
        let newest = trusting.merging(["tls.min_version": .string("1.3")]) { $1 }
        let sink = try SinkDriver(receiver.url("https"), newest)
        let errors = try (0..<3).map { _ in try sink.failure() }
        #expect(errors.map(\.code) == ["SND-TLS002", "SND-TLS002", "SND-TLS002"])
        #expect(errors.map(\.failureClass) == [.transient, .transient, .configuration])
        #expect(try SinkDriver(receiver.url("https"), trusting).deliver() == .completed)
    }

    @Test func aHandshakeThatHangsTimesOut() throws {
        try FaultServer.run(Answer.hang) { server in
            let options: [String: FakeHost.Option] = ["connect_timeout": .duration(.milliseconds(300))]
            let error = try SinkDriver("https://127.0.0.1:\(server.port)/", options).failure()
            #expect(error.code == "SND-CRL004")
            #expect(error.failureClass == .transient)
        }
    }

    @Test func resetsInTheHandshakeStayTransient() throws {
        try FaultServer.run(Answer.resetBeforeReading) { server in
            let sink = try SinkDriver("https://127.0.0.1:\(server.port)/")
            for _ in 0..<5 {
                let error = try sink.failure()
                #expect(error.code == "SND-CRL005")
                #expect(error.failureClass == .transient)
            }
        }
    }
}
