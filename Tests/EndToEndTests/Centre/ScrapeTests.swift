import Foundation
import Glibc
import Testing

/// A real Prometheus that scrapes the agent, and clients that are none.
struct ScrapeTests {
    /// The shipped example with a state directory of its own, an interval of a second, and files with the same samples.
    private static func configuration(_ port: UInt16, _ workspace: Workspace) throws -> String {
        try Checkout.text("config/examples/scrape.yaml")
            .replacing("interval: 10s", with: "interval: 1s")
            .replacing("plugin: procnet", with: "plugin: procnet, level: all")
            .replacing(
                "plugin: scrape }", with: "plugin: scrape, listen: \"127.0.0.1:\(port)\", batch: { wait: 10ms } }")
            + "  - { id: page, plugin: file, path: \(workspace.path("page")), format: prometheus }\n"
            + "  - { id: lines, plugin: file, path: \(workspace.path("lines")) }\n"
    }

    private static func freePort() throws -> UInt16 {
        let (holder, port) = try Loopback.reservedPort()
        close(holder)
        return port
    }

    /// Every value that the agent has sent of each series.
    private static func values(in page: String) -> [String: Set<Double>] {
        var values: [String: Set<Double>] = [:]
        for line in page.split(separator: "\n") where !line.hasPrefix("#") {
            for (key, sample) in ExpositionPage.samples(String(line)) { values[key, default: []].insert(sample.value) }
        }
        return values
    }

    private static func up(_ server: MetricServer) async throws -> [MetricServer.Sample] {
        try await server.samples(of: #"up{job="sonde"}"#).values.first ?? []
    }

    private static func answered(_ server: MetricServer) async throws -> Int {
        try await up(server).count { $0.value == 1 }
    }

    @Test(.enabled(if: MetricServer.Program.prometheus.isInstalled, "make servers"))
    func prometheusHasWhatTheAgentShowsOverARestart() async throws {
        try await Workspace.use { workspace in
            let port = try Self.freePort()
            let server = try await MetricServer(.prometheus, workspace, scraping: "127.0.0.1:\(port)")
            let text = try Self.configuration(port, workspace)
            for run in 1...2 {
                let agent = try workspace.startAgent(text)
                // Prometheus begins some seconds after its start.
                let end = ContinuousClock.now + .seconds(60)
                while try await Self.answered(server) < 5 * run, ContinuousClock.now < end {}
                #expect(try await agent.stop() == .exited(0))
                #expect(!agent.log.contains("error"), "\(agent.log)")
            }
            let sent = Self.values(in: workspace.read("page"))
            let stored = try await server.samples(of: #"{job="sonde",__name__!~"scrape_.*|up"}"#)
            #expect(stored.count > 300)
            for (key, samples) in stored where !OwnSeries.has(key) {
                let strange = samples.filter { sample in !(sent[key]?.contains(sample.value) ?? false) }
                #expect(strange.isEmpty, "\(key): \(strange.map(\.value))")
            }
            // Everything that was shown long enough to be scraped is there.
            let missing = Set(sent.filter { $0.value.count > 4 }.keys).subtracting(stored.keys)
            #expect(missing == [])
            // No scrape was refused while the agent ran.
            let up = try await Self.up(server)
            let answers = up.map { $0.value == 1 ? "1" : "0" }.joined()
            #expect(answers.firstMatch(of: /^0*1{4,}0*1{4,}0*$/) != nil, "\(answers)")
            let gaps = zip(up, up.dropFirst()).map { $1.milliseconds - $0.milliseconds }
            #expect(gaps.allSatisfy { $0 < 2_000 }, "\(gaps)")
        }
    }

    @Test(.enabled(if: CentreCheck.promtool != nil, "make servers"))
    func promtoolHasNothingToSayAboutTheWholePage() async throws {
        let promtool = try #require(CentreCheck.promtool)
        try await Workspace.use(.all) { workspace in
            let port = try Self.freePort()
            let agent = try workspace.startAgent(try Self.configuration(port, workspace))
            try await agent.waitForTimes(3, in: "lines")
            let check = "curl -sS http://127.0.0.1:\(port)/metrics | tee page.txt | \(promtool) check metrics"
            let result = try await workspace.run(["/bin/sh", "-ec", "cd \(workspace.directory); \(check)"])
            #expect(result.end == .exited(0), "\(result.output)\(result.errors)")
            #expect(workspace.read("page.txt").contains("\nsystem_network_connections{"))
            #expect(workspace.read("page.txt").contains("\nsonde_agent_uptime_seconds{"))
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test func clientsThatMisbehaveLeaveScrapesAndCollectionsAlone() async throws {
        try await Workspace.use(.all) { workspace in
            let port = try Self.freePort()
            let agent = try workspace.startAgent(
                try Self.configuration(port, workspace).replacing("interval: 1s", with: "interval: 200ms"))
            try await agent.waitForTimes(3, in: "lines")
            let clock = ContinuousClock()
            let begin = Date()
            var sockets: [Int32] = []
            var slowest = Duration.zero
            for round in 0..<50 {
                for number in 0..<20 {
                    let client = try Loopback.connect(port)
                    sockets.append(client)
                    let text = [
                        "GET /metr", "\u{16}\u{3}\u{1}", "\r\n\r\nGET\r\n\r\n", "GET /metrics HTTP/1.1\r\nX: ",
                    ][number % 4]
                    _ = text.withCString { Glibc.send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                }
                guard round % 5 == 4 else { continue }
                let asked = clock.now
                let answer = try await workspace.run([
                    "/usr/bin/curl", "-gsS", "--max-time", "5",
                    "http://127.0.0.1:\(port)/metrics?name[]=system_network_io*",
                ])
                slowest = max(slowest, clock.now - asked)
                #expect(answer.output.contains("system_network_io_bytes_total{"), "\(answer.errors)")
                try await Task.sleep(for: .milliseconds(300))
            }
            for socket in sockets { close(socket) }
            let elapsed = Date().timeIntervalSince(begin)
            #expect(try await agent.stop() == .exited(0))
            let shape = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let times = try PointLine.times(agent.lines(in: "lines")).map { try shape.parse($0) }
                .filter { $0 > begin && $0 < begin + elapsed }
            #expect(Double(times.count) > elapsed / 0.2 * 0.8 - 2, "\(times.count) in \(elapsed) s")
            #expect(slowest < .seconds(3))
        }
    }

    @Test func aSocketThatIsInTheWayIsReportedAndAnAbandonedOneReplaced() async throws {
        try await Workspace.use { workspace in
            let path = workspace.path("scrape.sock")
            let text = try Self.configuration(1, workspace).replacing("127.0.0.1:1", with: "unix:\(path)")
            let first = try workspace.startAgent(text)
            try await first.waitForTimes(2, in: "lines")
            first.process.send(SIGKILL)
            _ = try await first.process.waitForEnd()
            #expect(access(path, F_OK) == 0)
            let times = PointLine.times(first.lines(in: "lines")).count
            let second = try workspace.startAgent(text)
            try await second.waitForTimes(times + 2, in: "lines")
            let answer = try await workspace.run([
                "/usr/bin/curl", "-sS", "--unix-socket", path, "http://sonde/readyz",
            ])
            #expect(answer.output == "ready\n")
            #expect(try await second.stop() == .exited(0))
            #expect(access(path, F_OK) != 0)
            try workspace.write("scrape.sock", "no socket")
            let third = try workspace.startAgent(text)
            try await third.waitForLog("SND-SCR004")
            #expect(try await third.stop() == .exited(0))
            #expect(workspace.read("scrape.sock") == "no socket")
        }
    }

    @Test func aCertificateThatHasChangedIsInUseAndOneThatCannotBeIsReported() async throws {
        try await Workspace.use { workspace in
            let port = try Self.freePort()
            try await Self.makeCertificate("scrape", in: workspace)
            let text = try Self.configuration(port, workspace).replacing(
                "plugin: scrape,",
                with: """
                    plugin: scrape, auth: { bearer: s3cret }, tls: { cert_file: \(workspace.path("scrape.pem")), \
                    key_file: \(workspace.path("scrape.key")) },
                    """)
            let agent = try workspace.startAgent(text)
            try await agent.waitForTimes(2, in: "lines")
            #expect(try await Self.status(port, trusting: "scrape", in: workspace) == "200")
            #expect(try await Self.status(port, trusting: "scrape", token: "wrong", in: workspace) == "401")
            let plain = try await workspace.run(["/usr/bin/curl", "-sS", "http://127.0.0.1:\(port)/metrics"])
            #expect(plain.end != .exited(0) && !plain.output.contains("system_network"))

            // The certificate is renewed, its key not yet.
            try await Self.makeCertificate("other", in: workspace)
            try FileManager.default.copyItem(atPath: workspace.path("other.pem"), toPath: workspace.path("half.pem"))
            #expect(rename(workspace.path("half.pem"), workspace.path("scrape.pem")) == 0)
            try await Self.expectStatus("SND-SCR003", in: workspace)
            try FileManager.default.copyItem(
                atPath: workspace.path("other.pem"), toPath: workspace.path("trusted.pem"))
            #expect(rename(workspace.path("other.key"), workspace.path("scrape.key")) == 0)
            try FileManager.default.copyItem(atPath: workspace.path("other.pem"), toPath: workspace.path("new.pem"))
            #expect(rename(workspace.path("new.pem"), workspace.path("scrape.pem")) == 0)
            try await agent.waitForLog("the certificate has changed and is in use")
            #expect(try await Self.status(port, trusting: "other", in: workspace) == "200")

            try workspace.write("scrape.pem", "no certificate")
            try await Self.expectStatus("SND-SCR003", in: workspace)
            #expect(try await Self.status(port, trusting: "other", in: workspace) == "200")
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("s3cret"))
        }
    }

    /// Waits until the agent's status has a text.
    private static func expectStatus(_ text: String, in workspace: Workspace) async throws {
        let end = ContinuousClock.now + .seconds(30)
        var status = ""
        repeat {
            status = try await workspace.run([Checkout.sonde, "status"]).output
        } while !status.contains(text) && ContinuousClock.now < end
        #expect(status.contains(text))
    }

    @Test func clientsAreTakenAgainAfterThereWasNoDescriptorForThem() async throws {
        try await Workspace.use { workspace in
            let port = try Self.freePort()
            let file = try workspace.write(
                "sonde.yaml",
                try Self.configuration(port, workspace).replacing(
                    "plugin: scrape,", with: "plugin: scrape, max_connections: 200,"))
            let process = try workspace.start(
                ["/bin/sh", "-c", "ulimit -n 90; exec \"$@\"", "sh", Checkout.sonde, "run", "-c", file]
                    + Workspace.pluginDirectory, as: "agent")
            let agent = Agent(process: process, workspace: workspace)
            try await agent.waitForTimes(2, in: "lines")
            let sockets = try (0..<100).map { _ in try Loopback.connect(port) }
            try await Task.sleep(for: .seconds(2))
            for socket in sockets { close(socket) }
            let end = ContinuousClock.now + .seconds(30)
            var answer = ""
            repeat {
                answer = try await workspace.run([
                    "/usr/bin/curl", "-sS", "--max-time", "2", "http://127.0.0.1:\(port)/readyz",
                ]).output
            } while answer != "ready\n" && ContinuousClock.now < end
            #expect(answer == "ready\n", "\(agent.log)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    private static func makeCertificate(_ name: String, in workspace: Workspace) async throws {
        let result = try await workspace.run([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", workspace.path("\(name).key"),
            "-out", workspace.path("\(name).pem"),
        ])
        #expect(result.end == .exited(0), "\(result.errors)")
    }

    private static func status(
        _ port: UInt16, trusting name: String, token: String = "s3cret", in workspace: Workspace
    ) async throws -> String {
        try await workspace.run([
            "/usr/bin/curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", workspace.path("\(name).pem"),
            "-H", "Authorization: Bearer \(token)", "https://127.0.0.1:\(port)/metrics",
        ]).output
    }
}
