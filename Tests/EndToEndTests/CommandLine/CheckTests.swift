import Glibc
import Testing

/// Wrong configurations are refused with all their mistakes, right ones accepted.
@Suite struct CheckTests {
    private static let mistakes = """
        version: 1
        agent:
          interval: 10 seconds
          labels: [fra1]
        sources:
          - { id: kernel, plugin: procnet, tables: [dev, snmp] }
          - { id: kernel, plugin: procent }
        sinks:
          - id: local
            plugin: file
            path: /nonexistent/metrics.ndjson
            rotate: { size: big }
            fromat: json
          - id: central
            plugin: http
            retry: { base: 1ms, cap: 100h }

        """

    private static let report = [
        "3:13: error[SND-CFG016]: 'interval' must be a duration, not '10 seconds'; write 10s, 1m30s or 100ms",
        "4:11: error[SND-CFG013]: 'labels' must be a mapping, not a list; write { key: value } or one 'key: value' per "
            + "line",
        "7:11: error[SND-CFG022]: the id 'kernel' is given twice; it is already at FILE:6:11; ids are unique over "
            + "sources and sinks; 'override: true' changes the first one",
        "7:27: error[SND-CFG023]: there is no plugin 'procent'; did you mean 'procnet'?",
        "12:21: error[SND-CFG017]: 'rotate.size' must be a size, not 'big'; write 512, 10kB or 64MiB",
        "13:5: error[SND-CFG012]: unknown key 'fromat' in sink 'local' (file); did you mean 'format'?",
        "14:5: error[SND-CFG011]: sink 'central' (http) has no 'url'",
        "16:30: error[SND-CFG018]: 'retry.cap' must be between 1ms and 1d, not '100h'",
    ]

    private static func messages(_ text: String, of file: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("\(file):") && $0.contains("error[") }
            .map { String($0.dropFirst(file.count + 1)).replacing(file, with: "FILE") }
    }

    @Test func eightMistakesAreEightMessagesWithTheirPlaces() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("bad.yaml", Self.mistakes)
            let result = try await workspace.sonde("check", "-c", file)
            #expect(result.end == .exited(78))
            #expect(Self.messages(result.errors, of: file) == Self.report)
            #expect(result.errors.hasSuffix("\(file): 8 errors\n"))
            #expect(result.output == "")
        }
    }

    @Test func runRefusesTheSameFileWithTheSameMessages() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("bad.yaml", Self.mistakes)
            let result = try await workspace.sonde("run", "-c", file)
            #expect(result.end == .exited(78))
            #expect(Self.messages(result.errors, of: file) == Self.report)
            #expect(result.output == "")
        }
    }

    @Test func aPluginNamesAllItCanFindWrongWithAnEntry() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "bad.yaml",
                """
                version: 1
                sources: [{ id: kernel, plugin: procnet }]
                sinks:
                  - id: local
                    plugin: file
                    path: /tmp/metrics.ndjson
                    mode: rw
                    rotate: { keep: 0 }

                """
            )
            let result = try await workspace.sonde("check", "-c", file)
            #expect(result.end == .exited(78))
            let messages = Self.messages(result.errors, of: file)
            #expect(messages.map { $0.prefix(24) } == ["7:11: error[SND-FIL001]:", "8:21: error[SND-FIL001]:"])
        }
    }

    @Test func aValueThatCannotBeReadIsOneMistake() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "bad.yaml",
                """
                version: 1
                sources: [{ id: kernel, plugin: procnet }]
                sinks: [{ id: central, plugin: http, url: "${file:/nowhere}" }]

                """
            )
            let result = try await workspace.sonde("check", "-c", file)
            #expect(result.end == .exited(78))
            #expect(Self.messages(result.errors, of: file).map { $0.prefix(24) } == ["3:44: error[SND-CFG029]:"])
        }
    }

    @Test(arguments: ["check", "run"])
    func whatPluginsSayOfTheirOptionsHasItsPlaceToo(_ command: String) async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "bad.yaml",
                """
                version: 1
                sources:
                  - { id: kernel, plugin: procnet, tables: [dev, tpc] }
                sinks:
                  - id: local
                    plugin: file
                    path: metrics.ndjson

                """
            )
            let result = try await workspace.sonde(command, "-c", file)
            #expect(result.end == .exited(78))
            let messages = Self.messages(result.errors, of: file)
            #expect(messages.count == 2)
            #expect(messages.first?.hasPrefix("3:50: error[SND-PRC006]: option 'tables[1]' in 'kernel': ") == true)
            #expect(messages.last?.hasPrefix("7:11: error[SND-FIL001]: option 'path' in 'local': ") == true)
        }
    }

    @Test func aRightFileIsSaidToBeRightAndNothingIsOpened() async throws {
        try await Workspace.use { workspace in
            let path = workspace.path("metrics.ndjson")
            let file = try workspace.write(
                "good.yaml",
                """
                version: 1
                sources: [{ id: kernel, plugin: procnet }]
                sinks: [{ id: local, plugin: file, path: \(path) }]

                """
            )
            let result = try await workspace.sonde("check", "-c", file)
            #expect(result.end == .exited(0))
            #expect(result.output == "\(file) is valid\n")
            #expect(result.errors == "")
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func withEstimateItSaysHowMuchWillBeSentAndSendsNothing() async throws {
        try await Workspace.use { workspace in
            let path = workspace.path("metrics.ndjson")
            let file = try workspace.write(
                "good.yaml",
                """
                version: 1
                sources:
                  - { id: kernel, plugin: procnet, labels: { part: core } }
                  - { id: deep, plugin: procnet, level: all, interval: 1m, labels: { part: deep } }
                sinks:
                  - { id: central, plugin: http, format: prometheus_remote_write, url: "http://127.0.0.1:1/write" }
                  - { id: local, plugin: file, path: \(path) }
                  - { id: console, plugin: stdout }

                """
            )
            let result = try await workspace.sonde("check", "--estimate", "-c", file)
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(result.errors == "")
            #expect(access(path, F_OK) != 0)
            let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(lines.first?.joined(separator: " ") == "\(file) is valid")
            let kernel = try #require(lines.first { $0.first == "kernel" })
            let deep = try #require(lines.first { $0.first == "deep" })
            #expect(kernel[1..<3] == ["core", "10s"] && deep[1..<3] == ["all", "1m"])
            #expect(try #require(Int(kernel[3])) * 3 < #require(Int(deep[3])))
            let central = try #require(lines.first { $0.first == "central" })
            #expect(central[1..<4] == ["prometheus_remote_write,", "snappy", "10s"])
            #expect(central[5] == "about" && ["kB", "MB"].contains(central.last))
            let local = try #require(lines.first { $0.first == "local" })
            #expect(local[1..<3] == ["json", "10s"] && local.last == "MB")
            #expect(lines.first { $0.first == "console" }?.last == "-")
            #expect(lines.contains { $0.first == "agent" })
        }
    }

    @Test func withEstimateASourceThatFailsIsMissingAndSaidSo() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "failing.yaml",
                """
                version: 1
                sources:
                  - { id: kernel, plugin: procnet }
                  - { id: wire, plugin: pcap, interfaces: [nosuch0] }
                  - { id: program, plugin: exec, command: [/bin/false] }
                  - { id: hanging, plugin: exec, command: [/bin/sleep, "60"], interval: 30s }
                sinks: [{ id: console, plugin: stdout, format: json }]

                """
            )
            let result = try await workspace.sonde("check", "--estimate", "-c", file)
            #expect(result.end == .exited(1))
            #expect(result.errors.contains("wire: "))
            #expect(result.output.contains("\nkernel "))
            let program = result.output.split(separator: "\n").first { $0.hasPrefix("program ") }
            #expect(program?.split(separator: " ").last == "unknown")
            #expect(result.output.contains("\nwire, program, hanging: the collection failed, and is in no number.\n"))
            #expect(!result.errors.contains("recovered"))
            #expect(result.output.contains("\nwire has more series the more traffic there is.\n"))
        }
    }

    @Test func aWrongFileIsNotEstimated() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("bad.yaml", "version: 1\nsources: [{ id: kernel, plugin: procent }]\n")
            let result = try await workspace.sonde("check", "--estimate", "-c", file)
            #expect(result.end == .exited(78))
            #expect(result.output == "")
        }
    }

    /// Secrets and certificates that a shipped file names are put where the test may write.
    @Test(arguments: Checkout.shippedConfigurations)
    func aShippedConfigurationIsAcceptedByTheRealPlugins(_ path: String) async throws {
        try await Workspace.use { workspace in
            for secret in ["token", "password"] { chmod(try workspace.write(secret, "secret\n"), 0o600) }
            let text = try Checkout.text(path).replacing("${file:/etc/sonde", with: "${file:\(workspace.directory)")
                .replacing("/etc/sonde/ca.pem", with: "/etc/ssl/certs/ca-certificates.crt")
            let file = try workspace.write("shipped.yaml", text)
            let command = [Checkout.sonded, "check", "--config", file] + Workspace.pluginDirectory
            let result = try await workspace.run(command)
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(result.errors == "")
        }
    }
}
