import Glibc
import SondeDomain
import Testing

@testable import HTTPPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// Credentials that change while the sink runs: files that are read again, and access tokens.
@Suite struct AuthorizationTests {
    private static let open: [String: FakeHost.Option] = ["allow_insecure": .bool(true)]

    private static func oauth2(_ url: String) -> [String: FakeHost.Option] {
        open.merging([
            "auth.oauth2.token_url": .string(url), "auth.oauth2.client_id": .string("so:nde"),
            "auth.oauth2.client_secret": .string("client secret"), "auth.oauth2.scopes": .list(["a", "b"]),
            "auth.oauth2.params": .map([Attribute("audience", "m&m")]),
        ]) { $1 }
    }

    private static func token(_ text: String, _ more: String = "") -> FaultServer.Step {
        Answer.status(200, body: #"{"access_token":"\#(text)","token_type":"Bearer"\#(more)}"#)
    }

    @Test func aTokenInAFileIsReadAgainWhenTheFileChanges() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("token", "first-token\n")
        try FaultServer.run(Answer.status(204)) { server in
            let sink = try SinkDriver(server.url, Self.open.merging(["auth.bearer_file": .string(file)]) { $1 })
            try sink.deliver(.sample(first: 1))
            _ = try directory.write("token", "a-second-token\n")
            try sink.deliver(.sample(first: 3))
            // What is gone for a moment, or for good, is replaced by what was there.
            try directory.remove("token")
            try sink.deliver(.sample(first: 5))
            #expect(
                server.requests.map { $0.header("Authorization") } == [
                    "Bearer first-token", "Bearer a-second-token", "Bearer a-second-token",
                ])
        }
    }

    @Test func aHeaderInAFileIsReadAgainWhenTheFileChangesAndIsHiddenInMessages() throws {
        let directory = try TemporaryDirectory()
        let key = try directory.write("key", "Token first-key\n")
        let tenant = try directory.write("tenant", "blue")
        let options: [String: FakeHost.Option] = [
            "headers": .map([Attribute("X-Site", "fra1")]),
            "header_files": .map([Attribute("Authorization", key), Attribute("X-Tenant", tenant)]),
        ]
        let steps = [Answer.status(204), Answer.status(403, body: "second-key of blue? first-key"), Answer.status(204)]
        try FaultServer.run(steps) { server in
            let sink = try SinkDriver(server.url, Self.open.merging(options) { $1 })
            try sink.deliver(.sample(first: 1))
            _ = try directory.write("key", "Token second-key\n")
            #expect(try sink.failure(.sample(first: 3)).message.hasSuffix(": *** of ***? ***"))
            // A file with a line break in it is not sent, and neither is what was there before.
            _ = try directory.write("key", "Token\r\nX-Injected: 1\n")
            let error = try sink.failure(.sample(first: 3))
            #expect(error.code == "SND-HDR001")
            #expect(error.optionPath == "header_files.Authorization")
            #expect(!error.message.contains("Injected"))
            #expect(
                server.requests.map { $0.header("Authorization") } == ["Token first-key", "Token second-key"])
            #expect(server.requests.allSatisfy { $0.header("X-Tenant") == "blue" && $0.header("X-Site") == "fra1" })
        }
    }

    @Test(arguments: [
        ("X-Key", "/nonexistent/key", "SND-AUT001", "header_files.X-Key '/nonexistent/key': No such file or directory"),
        ("Host", "/dev/null", "SND-HDR001", "header 'Host' is written by the sink itself"),
        ("Sonde-Batch", "/dev/null", "SND-HDR001", "header 'Sonde-Batch' is written by the sink itself"),
        ("authorization", "/dev/null", "SND-HDR001", "header 'authorization' is written from auth"),
        ("x-site", "/dev/null", "SND-HDR001", "header 'x-site' is set twice"),
        ("X Key", "/dev/null", "SND-HDR001", "header 'X Key' is no name of a header"),
    ])
    func aHeaderOfAFileThatCannotBeSentIsFoundByCreate(_ name: String, _ path: String, _ code: String, _ text: String) {
        let error = #expect(throws: PluginError.self) {
            try SinkDriver.create(
                "https://h.example/",
                [
                    "auth.bearer": .string("t"), "headers": .map([Attribute("X-Site", "a")]),
                    "header_files": .map([Attribute(name, path)]),
                ])
        }
        #expect(error?.code == code)
        #expect(error?.message == text)
        #expect(error?.optionPath == "header_files.\(name)")
    }

    @Test func aHeaderInAFileIsACredential() throws {
        let directory = try TemporaryDirectory()
        let options: [String: FakeHost.Option] = [
            "header_files": .map([Attribute("X-Tenant", try directory.write("tenant", "blue"))])
        ]
        let error = #expect(throws: PluginError.self) { try SinkDriver.create("http://h.example/", options) }
        #expect(error?.code == "SND-AUT001")
        #expect(error?.optionPath == "header_files.X-Tenant")
        _ = try SinkDriver.create("https://h.example/", options)
    }

    @Test func aPasswordInAFileIsSentAndHiddenInMessages() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("password", "open-sesame-1")
        try FaultServer.run([Answer.status(500, body: "you sent open-sesame-1")]) { server in
            let options: [String: FakeHost.Option] = [
                "auth.basic.username": .string("u"), "auth.basic.password_file": .string(file),
            ]
            let error = try SinkDriver(server.url, Self.open.merging(options) { $1 }).failure()
            #expect(error.message.contains("you sent ***"))
            #expect(server.requests[0].header("Authorization") == "Basic dTpvcGVuLXNlc2FtZS0x")
        }
    }

    @Test(arguments: [
        ("missing", "No such file or directory"), ("", "not a regular file"), ("empty", "empty"),
        ("spaced", "has a character at byte 4 that a token cannot have"),
    ])
    func aFileThatCannotBeUsedIsFoundByCreate(_ name: String, _ fault: String) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("empty", "\n")
        _ = try directory.write("spaced", "abc def")
        let error = #expect(throws: PluginError.self) {
            try SinkDriver.create(
                "https://h.example/", ["auth.bearer_file": .string(directory.file(name))])
        }
        #expect(error?.code == "SND-AUT001")
        #expect(error?.message.contains(fault) == true)
    }

    @Test func anAccessTokenIsFetchedOnceAndSent() throws {
        try FaultServer.run(Self.token("token-1", #","expires_in":3600"#)) { issuer in
            try FaultServer.run(Answer.status(204)) { server in
                let sink = try SinkDriver(server.url, Self.oauth2(issuer.url))
                try sink.deliver(.sample(first: 1))
                try sink.deliver(.sample(first: 3))
                #expect(server.requests.map { $0.header("Authorization") } == ["Bearer token-1", "Bearer token-1"])
                #expect(issuer.requests.count == 1)
                let request = issuer.requests[0]
                // so%3Ande:client%20secret
                #expect(request.header("Authorization") == "Basic c28lM0FuZGU6Y2xpZW50JTIwc2VjcmV0")
                #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
                #expect(
                    String(decoding: request.body, as: UTF8.self)
                        == "grant_type=client_credentials&scope=a%20b&audience=m%26m")
            }
        }
    }

    @Test func aTokenThatIsRefusedIsFetchedAgainOnceAndTheBatchSentAgain() throws {
        let tokens = [Self.token("token-1"), Self.token("token-2"), Self.token("token-3")]
        try FaultServer.run(tokens) { issuer in
            let answers = [204, 401, 204, 401, 401].map { Answer.status($0) }
            try FaultServer.run(answers) { server in
                let sink = try SinkDriver(server.url, Self.oauth2(issuer.url))
                try sink.deliver(.sample(first: 1))
                #expect(try sink.deliver(.sample(first: 3)) == .completed)
                let error = try sink.failure(.sample(first: 5))
                #expect(error.code == "SND-HTTP401")
                #expect(error.failureClass == .accessRefused)
                #expect(
                    server.requests.map { $0.header("Authorization") } == [
                        "Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2", "Bearer token-3",
                    ])
                #expect(server.requests[1].body == server.requests[2].body)
            }
        }
    }

    @Test func aTokenThatEndsTogetherWithAVersionOfTheFormatIsRenewedAndTheOtherVersionSent() throws {
        let written = "X-Prometheus-Remote-Write-Samples-Written: 2"
        try FaultServer.run([Self.token("token-1"), Self.token("token-2")]) { issuer in
            let answers = [
                Answer.status(204, [written]), Answer.status(401), Answer.status(415), Answer.status(204),
            ]
            try FaultServer.run(answers) { server in
                let sink = try SinkDriver(
                    server.url,
                    Self.oauth2(issuer.url).merging(["format": .string("prometheus_remote_write")]) { $1 })
                try sink.deliver(.sample(first: 1))
                #expect(try sink.deliver(.sample(first: 3)) == .completed)
                #expect(
                    server.requests.map { $0.header("Authorization") } == [
                        "Bearer token-1", "Bearer token-1", "Bearer token-2", "Bearer token-2",
                    ])
                #expect(
                    server.requests.map { $0.header("X-Prometheus-Remote-Write-Version") } == [
                        "2.0.0", "2.0.0", "2.0.0", "0.1.0",
                    ])
            }
        }
    }

    @Test func anEndpointThatWantsTheSecretInTheBodyGetsIt() throws {
        try FaultServer.run([Answer.status(401), Self.token("token-1")]) { issuer in
            try FaultServer.run(Answer.status(204)) { server in
                let sink = try SinkDriver(server.url, Self.oauth2(issuer.url))
                #expect(try sink.deliver() == .completed)
                #expect(issuer.requests[1].header("Authorization") == nil)
                let body = String(decoding: issuer.requests[1].body, as: UTF8.self)
                #expect(body.hasSuffix("&client_id=so%3Ande&client_secret=client%20secret"))
            }
        }
    }

    @Test(arguments: [
        (503, "SND-HTTP503", FailureClass.transient), (429, "SND-HTTP429", .rateLimited),
        (400, "SND-HTTP400", .accessRefused), (401, "SND-HTTP401", .accessRefused),
        (413, "SND-HTTP413", .configuration), (302, "SND-HTTP302", .configuration),
        (200, "SND-AUT002", .configuration),
    ])
    func anEndpointThatGivesNoTokenFailsLikeAReceiver(_ status: Int, _ code: String, _ kind: FailureClass) throws {
        try FaultServer.run(Answer.status(status, body: "client secret? client%20secret?")) { issuer in
            try FaultServer.run(Answer.status(204)) { server in
                let error = try SinkDriver(server.url, Self.oauth2(issuer.url)).failure()
                #expect(error.code == code)
                #expect(error.failureClass == kind)
                #expect(error.message.contains("127.0.0.1:\(issuer.port)"))
                #expect(!error.message.contains("secret?") || error.message.contains("***? ***?"))
                #expect(server.requests.isEmpty)
            }
        }
    }

    @Test func secretsThatWereReplacedLongAgoAreForgotten() throws {
        let directory = try TemporaryDirectory()
        let key = try directory.write("key", "key-0")
        let options: [String: FakeHost.Option] = [
            "url": .string("https://127.0.0.1/"), "auth.bearer": .string("constant"),
            "header_files": .map([Attribute("X-Key", key)]),
        ]
        let fake = FakeHost(options: options)
        let settings = try withExtendedLifetime(fake) {
            try TransportSettings(PluginHost(fake.record).options, userAgent: "test")
        }
        let (authorization, session) = (Authorization(settings), try CurlSession())
        for number in 1...1_000 {
            _ = try directory.write("key", "key-\(number)")
            _ = try authorization.field(session, until: .now, cancel: -1)
            _ = try authorization.headers()
        }
        #expect(authorization.secrets.contains("constant"))
        #expect(authorization.secrets.contains("key-1000"))
        #expect(!authorization.secrets.contains("key-1"))
        #expect(authorization.secrets.count < 300)
        #expect(authorization.secretCount == 1_001)
    }

    @Test func aTokenIsRenewedBeforeItsEnd() throws {
        let clock = TestClock()
        let steps = [
            Self.token("token-1", #","expires_in":100"#), Self.token("token-2", #","expires_in":"100""#),
            Self.token("token-3"),
        ]
        try FaultServer.run(steps) { issuer in
            let fake = FakeHost(options: Self.oauth2(issuer.url).merging(["url": .string("http://127.0.0.1/")]) { $1 })
            let settings = try TransportSettings(PluginHost(fake.record).options, userAgent: "test")
            guard case .oauth2(let client) = settings.credentials else {
                Issue.record("no client credentials")
                return
            }
            let tokens = AccessTokens(client, settings) { clock.now }
            let session = try CurlSession()
            func token(after seconds: Int64) throws -> String {
                clock.now = clock.now.advanced(by: .seconds(seconds))
                return try tokens.token(
                    Secret("client secret"), session, until: .now.advanced(by: .seconds(20)), cancel: -1
                ).reveal()
            }
            #expect(try token(after: 0) == "token-1")
            #expect(try token(after: 69) == "token-1")
            #expect(try token(after: 1) == "token-2")
            #expect(try token(after: 70) == "token-3")
            // Without `expires_in` it ends when a receiver refuses it.
            #expect(try token(after: 100_000) == "token-3")
        }
    }

    @Test func credentialsStayOnAPrivateWay() throws {
        let error = #expect(throws: PluginError.self) {
            let options = Self.oauth2("http://login.example/").merging(["allow_insecure": .bool(false)]) { $1 }
            return try SinkDriver.create("https://h.example/", options)
        }
        #expect(error?.code == "SND-AUT001")
        #expect(error?.optionPath == "auth.oauth2.token_url")
        _ = try SinkDriver.create("unix:///run/r.sock:/write", ["auth.bearer": .string("token")])
    }

    @Test(arguments: [
        (["auth.bearer": "a", "auth.bearer_file": "/b"], "auth.bearer_file"),
        (["auth.oauth2.client_id": "a"], "auth.oauth2.token_url"),
        (["auth.oauth2.token_url": "https://h/", "auth.oauth2.client_id": "a"], "auth.oauth2.client_secret"),
        (
            [
                "auth.oauth2.token_url": "https://h/", "auth.oauth2.client_id": "a", "auth.oauth2.client_secret": "s",
                "auth.bearer": "b",
            ], "auth.oauth2.token_url"
        ),
    ])
    func credentialsThatDoNotFitTogetherAreRefused(_ options: [String: String], _ path: String) {
        let error = #expect(throws: PluginError.self) {
            try SinkDriver.create("https://h.example/", options.mapValues { .string($0) })
        }
        #expect(error?.code == "SND-AUT001")
        #expect(error?.optionPath == path)
    }
}

/// A clock that a test sets.
private final class TestClock {
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
}
