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
            sources: [{ id: kernel, plugin: procnet, tables: [dev] }]
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
