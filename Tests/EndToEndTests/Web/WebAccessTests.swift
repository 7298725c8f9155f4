import Foundation
import Glibc
import Testing

/// Who is answered by `sonde web`, and what hostile requests come to.
@Suite struct WebAccessTests {
    private func useServer(
        _ arguments: [String] = [], _ body: (Workspace, WebServer) async throws -> Void
    ) async throws {
        // No agent: all of this is about the server alone.
        try await Workspace.use { workspace in try await body(workspace, try await WebServer(workspace, arguments)) }
    }

    @Test(arguments: ["/", "/app.js", "/events", "/intent", "/export"])
    func aNameThatSomebodyElseMakesPointHereIsRefused(_ path: String) async throws {
        try await useServer { _, web in
            for host in ["evil.example", "evil.example:\(web.port)", "127.0.0.1.evil.example", "", "[::1", "a b"] {
                let answer = try await web.ask("GET", path, host: host)
                #expect([400, 403].contains(answer.status), "\(host)")
            }
        }
    }

    @Test func namesOfTheServerAreAnsweredWhateverThePort() async throws {
        try await useServer(["--host", "probe.example.net"]) { _, web in
            for host in ["localhost", "localhost:9000", "127.0.0.1", "PROBE.example.net", "probe.example.net:443"] {
                let answer = try await web.ask("GET", "/", host: host)
                #expect(answer.status == 200, "\(host)")
            }
        }
    }

    @Test func aSecondHostDoesNotCount() async throws {
        try await useServer { _, web in
            let answer = try await web.ask("GET", "/", headers: ["Host: evil.example"])
            #expect(answer.status == 403)
        }
    }

    @Test func pagesOfOtherSitesOrderNothing() async throws {
        try await useServer { _, web in
            let page = try await web.open()
            let path = "/intent?session=\(page.id)"
            let body = "{\"do\":\"togglePause\"}"
            for header in [
                "Origin: https://evil.example", "Origin: null", "Origin: http://127.0.0.1:1",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: none",
            ] {
                #expect(try await web.ask("POST", path, headers: [header], body: body).status == 403, "\(header)")
            }
            #expect(try await web.ask("GET", "/events", headers: ["Sec-Fetch-Site: cross-site"]).status == 403)
            let own = ["Origin: http://127.0.0.1:\(web.port)", "Sec-Fetch-Site: same-origin"]
            #expect(try await web.ask("POST", path, headers: own, body: body).status == 204)
            // A form of another site sends no JSON.
            let form =
                "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"
            let client = try WebClient(web.port)
            client.write(form)
            #expect(try await eventually("an answer") { client.answer()?.status } == 415)
        }
    }

    @Test func malformedRequestsOfAPageAreRefusedAndChangeNothing() async throws {
        try await useServer { _, web in
            let page = try await web.open()
            let path = "/intent?session=\(page.id)"
            for body in [
                "", "{", "[]", "{\"do\":1}", "{\"do\":\"rm\"}", "{\"do\":\"show\"}",
                "{\"do\":\"show\",\"value\":\"x\"}",
                "{\"do\":\"fit\",\"value\":0}", "{\"do\":\"move\",\"value\":9e99}", "{\"do\":\"move\",\"value\":1e3}",
                "{\"do\":\"select\",\"value\":{}}", "{\"do\":\"type\",\"value\":null}", "{\"do\":\"more\"}",
                String(repeating: "[", count: 4_000),
            ] {
                let answer = try await web.ask("POST", path, body: body)
                #expect(answer.status == 400, "\(body.prefix(60))")
                #expect(answer.json["message"] is String)
            }
            let large = "{\"do\":\"type\",\"value\":\"\(String(repeating: "x", count: 5_000))\"}"
            #expect(try await web.ask("POST", path, body: large).status == 413)
            for other in [
                "/intent", "/intent?session=", "/intent?session=zz",
                "/intent?session=\(String(repeating: "0", count: 32))",
            ] {
                #expect(try await web.ask("POST", other, body: "{\"do\":\"dismiss\"}").status == 404, "\(other)")
            }
            #expect(try await page.want("dismiss") == 204)
        }
    }

    @Test func whatIsNoRequestEndsItsConnectionAndNothingElse() async throws {
        try await useServer { _, web in
            let lines = [
                "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
                "POST /intent HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                "POST /intent HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST /intent HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
                "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
                "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n\((0..<200).map { "X\($0): y\r\n" }.joined())\r\n",
                "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            ]
            for line in lines {
                let client = try WebClient(web.port)
                client.write(line)
                let status = try await eventually("an end of \(line.prefix(40))") { () -> Int? in
                    if let answer = client.answer() { return answer.status }
                    return client.hasEnded ? 0 : nil
                }
                #expect(status == 0 || (400..<500).contains(status), "\(line.prefix(40)): \(status)")
            }
            #expect(try await web.ask("GET", "/").status == 200)
        }
    }

    @Test func aRequestThatDoesNotEndIsNotWaitedForForEver() async throws {
        try await useServer { _, web in
            let client = try WebClient(web.port)
            client.write("POST /intent?session=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n")
            client.write("Content-Type: application/json\r\n\r\n{")
            try await eventually("the connection ends", within: .seconds(25)) {
                _ = client.drain()
                return client.hasEnded
            }
        }
    }

    @Test func thereAreAtMostTwoHundredPages() async throws {
        try await useServer { _, web in
            var pages: [OpenPage] = []
            for _ in 0..<200 { pages.append(try await web.open()) }
            let answer = try await web.ask("GET", "/events")
            #expect(answer.status == 503)
            #expect(answer.json["message"] as? String == "as many pages are open as there may be")
            #expect(answer.headers["retry-after"] != nil)
            pages.removeLast(10)
            try await eventually("there is room again") {
                let client = try WebClient(web.port)
                client.write(web.request("GET", "/events"))
                return try await eventually("an answer") {
                    client.stream() ?? client.answer().map { ($0.status, [:], "") }
                }
                .status == 200
            }
        }
    }

    @Test func aTokenThatWasGivenIsNeededToLookToo() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("token", "correct-horse-battery-staple\n")
            chmod(file, 0o600)
            let web = try await WebServer(workspace, ["--token-file", file])
            #expect(web.token == "")
            #expect(try await web.ask("GET", "/").status == 200)
            #expect(try await web.ask("GET", "/events").status == 401)
            #expect(try await web.ask("GET", "/export?session=x&format=csv").status == 401)
            #expect(try await web.ask("POST", "/intent?session=x", body: "{}").status == 401)
            let right = "{\"token\":\"correct-horse-battery-staple\"}"
            #expect(try await web.ask("POST", "/login", body: "{\"token\":\"correct\"}").status == 401)
            let evil = ["Origin: https://evil.example"]
            #expect(try await web.ask("POST", "/login", headers: evil, body: right).status == 403)
            let login = try await web.ask("POST", "/login", body: right)
            #expect(login.status == 204)
            let cookie = try #require(login.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            #expect(!cookie.contains("correct"), "the cookie is not the token")
            let page = try await web.open(headers: ["Cookie: other=1; \(cookie.prefix { $0 != ";" })"])
            #expect(page.session["canOrder"] as? Bool == true)
            #expect(
                try await web.ask("GET", "/events", headers: ["Cookie: sonde=\(String(repeating: "0", count: 32))"])
                    .status == 401)
        }
    }

    @Test func wrongTokensAreAnsweredSlowlyAndCounted() async throws {
        try await useServer { _, web in
            let begin = ContinuousClock.now
            let clients = try (0..<40).map { _ in try WebClient(web.port) }
            for client in clients {
                client.write(web.request("GET", "/events", headers: ["Authorization: Bearer nonsense-42"]))
            }
            var statuses: [Int] = []
            for client in clients { statuses.append(try await eventually("an answer") { client.answer()?.status }) }
            #expect(ContinuousClock.now - begin >= .seconds(1))
            #expect(Set(statuses) == [401, 429])
            #expect(statuses.count { $0 == 401 } == 16)
            #expect(web.log.contains("a wrong token came from 127.0.0.1"))
            #expect(!web.log.contains("nonsense-42"))
        }
    }

    @Test func otherHostsNeedTLSAndAToken() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("token", "correct-horse-battery-staple\n")
            chmod(file, 0o600)
            for arguments in [[], ["--token-file", file]] {
                let run = try await workspace.run([Checkout.sonde, "web", "--listen", "0.0.0.0:0"] + arguments)
                #expect(run.end == .exited(78))
                #expect(run.errors.contains("SND-WEB002"))
            }
            let half = try await workspace.run([Checkout.sonde, "web", "--tls-key", file])
            #expect(half.end == .exited(64))
            let bad = try await workspace.run(
                [Checkout.sonde, "web", "--tls-key", file, "--tls-certificate", file, "--token-file", file])
            #expect(bad.end == .exited(78))
            #expect(bad.errors.contains("SND-WEB003"))
            #expect(bad.errors.contains("'\(file)' cannot be used: it has no certificate in PEM"), "\(bad.errors)")
            let none = try await workspace.run(
                [Checkout.sonde, "web", "--tls-key", file, "--tls-certificate", "/nowhere", "--token-file", file])
            #expect(none.errors.contains("'/nowhere' cannot be used: it does not exist"), "\(none.errors)")
            chmod(file, 0o644)
            let open = try await workspace.run([Checkout.sonde, "web", "--token-file", file])
            #expect(open.errors.contains("is open to all users"))
        }
    }

    @Test func aConnectionWithoutAWholeRequestIsClosed() async throws {
        try await Workspace.use { workspace in
            let web = try await WebServer(workspace)
            let silent = try WebClient(web.port)
            let half = try WebClient(web.port)
            half.write("GET / HTTP/1.1\r\nHost: localhost\r\n")
            // The bound of the request; that of an idle connection is a minute.
            try await eventually("both end", within: .seconds(40)) {
                _ = silent.drain()
                _ = half.drain()
                return silent.hasEnded && half.hasEnded
            }
        }
    }

    @Test func overTLSThePageIsServedToWhoHasTheToken() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("token", "correct-horse-battery-staple\n")
            chmod(file, 0o600)
            let made = try await workspace.run([
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days", "1", "-subj", "/CN=probe.example.net", "-addext", "subjectAltName=DNS:probe.example.net",
                "-keyout", workspace.path("key.pem"), "-out", workspace.path("cert.pem"),
            ])
            try #require(made.end == .exited(0))
            let web = try await WebServer(
                workspace,
                [
                    "--listen", "0.0.0.0:0", "--host", "probe.example.net", "--token-file", file, "--tls-key",
                    workspace.path("key.pem"), "--tls-certificate", workspace.path("cert.pem"),
                ])
            let keyless = try await workspace.run(
                [Checkout.sonde, "web", "--tls-key", file, "--tls-certificate", workspace.path("cert.pem")])
            #expect(keyless.errors.contains("'\(file)' cannot be used: it has no private key in PEM"), "\(keyless)")
            let curl = [
                "/usr/bin/curl", "-sS", "-i", "--cacert", workspace.path("cert.pem"), "--resolve",
                "probe.example.net:\(web.port):127.0.0.1",
            ]
            let url = "https://probe.example.net:\(web.port)"
            #expect(try await workspace.run(curl + ["\(url)/"]).output.contains("<title>"))
            #expect(try await workspace.run(curl + ["\(url)/events"]).output.contains("401 Unauthorized"))
            let login = try await workspace.run(
                curl + ["--json", "{\"token\":\"correct-horse-battery-staple\"}", "\(url)/login"])
            #expect(login.output.contains("; Secure"))
            let right = ["-H", "Authorization: Bearer correct-horse-battery-staple", "--max-time", "1"]
            #expect(try await workspace.run(curl + right + ["\(url)/events"]).output.contains("\"canOrder\":true"))
            let old = try await workspace.run(curl + ["--tls-max", "1.1", "\(url)/"])
            #expect(old.end != .exited(0), "TLS 1.1 is refused")
            // Without TLS nothing is said.
            let client = try WebClient(web.port)
            client.write("GET / HTTP/1.1\r\nHost: probe.example.net\r\n\r\n")
            try await eventually("the connection ends") {
                _ = client.drain()
                return client.hasEnded
            }
        }
    }
}
