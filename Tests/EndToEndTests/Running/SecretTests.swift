import Foundation
import Testing

/// A secret reaches the receiver and nobody else.
@Suite struct SecretTests {
    private static let token = "mellon-4711-sesame"

    private static func configuration(_ workspace: Workspace, url: String, more: String = "") throws -> String {
        let file = try workspace.write("token", "\(token)\n")
        return """
            version: 1
            agent: { interval: 100ms, log: { level: debug } }
            sources: [{ id: kernel, plugin: procnet, level: all, tables: [dev] }]
            sinks:
              - id: central
                plugin: http
                url: "\(url)"
                allow_insecure: true
                auth: { bearer: "${file:\(file)}"\(more) }
                batch: { wait: 20ms }
                retry: { base: 20ms, cap: 50ms }

            """
    }

    @Test func aTokenFromAFileIsSentAndStaysOutOfTheLogAndTheProcessTable() async throws {
        try await Workspace.use { workspace in
            let script: [ScriptedReceiver.Step] = [
                .answer(500), .answer(503), .reset, .endless, .answer(204), .answer(401),
            ]
            try await ScriptedReceiver.use(script) { receiver in
                let agent = try workspace.startAgent(Self.configuration(workspace, url: receiver.url))
                try await agent.waitForLog("SND-HTTP401")
                let process = "/proc/\(agent.process.processID)"
                for file in ["cmdline", "environ"] {
                    let bytes = try Data(contentsOf: URL(filePath: "\(process)/\(file)"))
                    #expect(!bytes.isEmpty)
                    #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.token))
                }
                agent.process.kill()
                let sent = Set(receiver.exchanges.map { $0.headers["authorization"] })
                #expect(sent == ["Bearer \(Self.token)"])
                #expect(agent.log.contains("SND-HTTP500"))
                #expect(!agent.log.contains(Self.token))
                #expect(agent.output == "")
            }
        }
    }

    /// Every kind of secret, receivers that repeat what they were sent, and everything that the agent writes.
    @Test func noSecretIsInAnythingThatTheAgentWrites() async throws {
        let secrets = [
            "canary-bearer-1", "canary-password-2", "canary-client-3", "canary-token-4", "canary-header-5",
            "canary-query-6",
        ]
        try await Workspace.use { workspace in
            let issuer: [ScriptedReceiver.Step] = [
                .echo(500), .text(#"{"access_token":"canary-token-4","expires_in":60}"#),
            ]
            // 422 leaves a dead letter, 401 holds the sink, 500 is retried.
            let script: [ScriptedReceiver.Step] = [.echo(500), .echo(422), .answer(204), .echo(302), .echo(401)]
            try await ScriptedReceiver.use(issuer) { issuer in
                try await ScriptedReceiver.use(script) { receiver in
                    let names = ["bearer", "password", "client", "header"]
                    let files = try names.enumerated().map { index, name in
                        try workspace.write("secret-\(name)", secrets[[0, 1, 2, 4][index]] + "\n")
                    }
                    func sink(_ id: String, _ more: String) -> String {
                        """
                          - id: \(id)
                            plugin: http
                            url: "\(receiver.url)?key=canary-query-6"
                            allow_insecure: true
                            \(more)
                            batch: { wait: 20ms }
                            retry: { base: 20ms, cap: 50ms }

                        """
                    }
                    let oauth2 =
                        "token_url: \"\(issuer.url)\", client_id: sonde, client_secret_file: \"\(files[2])\""
                    let agent = try workspace.startAgent(
                        """
                        version: 1
                        agent: { interval: 100ms, state_dir: "\(workspace.path("state"))", log: { level: debug } }
                        sources: [{ id: kernel, plugin: procnet, level: all, tables: [dev] }]
                        sinks:

                        """ + sink("one", "auth: { bearer: \"${file:\(files[0])}\" }")
                            + sink("two", "auth: { basic: { username: u, password_file: \"\(files[1])\" } }")
                            + sink("three", "auth: { oauth2: { \(oauth2) } }")
                            + sink("four", "headers: { X-API-Key: \"${file:\(files[3])}\" }"))
                    // 302 ends the script of one sink and 401 that of the others: all four are held at the end.
                    try await agent.wait(until: "each secret was sent") {
                        let sent = receiver.exchanges.flatMap { Array($0.headers.values) }.joined(separator: "\n")
                        let basic = Data("u:canary-password-2".utf8).base64EncodedString()
                        return ["canary-bearer-1", basic, "canary-token-4", "canary-header-5"]
                            .allSatisfy(sent.contains)
                    }
                    try await agent.waitForLog("SND-HTTP401")
                    let status = try await workspace.sonde("status", "--format", "json")
                    let shown = try await workspace.sonde("config", "show", "-c", workspace.path("sonde.yaml"))
                    #expect(shown.output.contains("***"))
                    var written = [
                        "status": Data((status.output + status.errors).utf8),
                        "config show": Data((shown.output + shown.errors).utf8),
                    ]
                    for name in ["cmdline", "environ"] {
                        written[name] = try Data(contentsOf: URL(filePath: "/proc/\(agent.process.processID)/\(name)"))
                    }
                    _ = try await agent.stop()
                    let all = FileManager.default.enumerator(atPath: workspace.directory)?.allObjects as? [String] ?? []
                    for name in all where !name.hasPrefix("secret-") && name != "sonde.yaml" {
                        written[name] = FileManager.default.contents(atPath: workspace.path(name))
                    }
                    #expect(written.keys.contains { $0.hasPrefix("state/dead-letter/") })
                    #expect(written.keys.contains { $0.hasPrefix("state/spool/") })
                    #expect(written.keys.contains { $0.hasPrefix("state/history.db") })
                    for (name, bytes) in written {
                        for secret in secrets {
                            let forms = [secret, Data(secret.utf8).base64EncodedString()]
                            for form in forms where bytes.range(of: Data(form.utf8)) != nil {
                                Issue.record("\(secret) is in \(name)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func theShownConfigurationHidesIt() async throws {
        try await Workspace.use { workspace in
            let text = try Self.configuration(workspace, url: "http://127.0.0.1:1/")
            let file = try workspace.write("sonde.yaml", text)
            let result = try await workspace.sonde("config", "show", "-c", file)
            #expect(result.end == .exited(0))
            #expect(result.output.contains("***"))
            #expect(!(result.output + result.errors).contains(Self.token))
        }
    }

    @Test func messagesThatShowItsLineHideIt() async throws {
        try await Workspace.use { workspace in
            let text = try Self.configuration(workspace, url: "http://127.0.0.1:1/", more: ", bearr: 1")
            for text in [text, text.replacing("${file:\(workspace.path("token"))}", with: Self.token)] {
                let file = try workspace.write("sonde.yaml", text)
                let result = try await workspace.sonde("check", "-c", file)
                #expect(result.end == .exited(78))
                #expect(result.errors.contains("bearr"))
                #expect(!(result.output + result.errors).contains(Self.token))
            }
        }
    }

    @Test func aTokenThatCannotBeAHeaderIsRefusedWithoutBeingShown() async throws {
        try await Workspace.use { workspace in
            let text = try Self.configuration(workspace, url: "http://127.0.0.1:1/")
            try workspace.write("token", "\(Self.token)\nX-Injected: 1\n")
            let file = try workspace.write("sonde.yaml", text)
            for command in ["check", "run"] {
                let result = try await workspace.sonde(command, "-c", file)
                #expect(result.end == .exited(78))
                #expect(result.errors.contains("error[SND-"))
                #expect(!(result.output + result.errors).contains(Self.token))
            }
        }
    }
}
