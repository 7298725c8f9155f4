import Foundation
import Testing

/// A whole agent with a topic of Kafka, whose brokers come and go.
@Suite struct KafkaTests {
    private static func configuration(
        _ workspace: Workspace, _ cluster: KafkaCluster, isolation: String, more: String = ""
    ) -> String {
        """
        version: 1
        agent:
          { interval: 100ms, host: probe-1, state_dir: "\(workspace.path("state"))", shutdown_grace: 30s, log: { level: debug } }
        sources:
          - { id: kernel, plugin: procnet, proc: \(Checkout.proc("container")) }
        sinks:
          - id: local
            plugin: file
            path: \(workspace.path("local"))
            batch: { wait: 20ms }
            metrics: \(OwnSeries.excluded)
          - id: queue
            plugin: kafka
            brokers: [\(cluster.brokers.joined(separator: ", "))]
            topic: sonde
            metrics: \(OwnSeries.excluded)
            isolation: \(isolation)
            connect_timeout: 1s
            timeout: 2s
            batch: { wait: 20ms }
            retry: { base: 20ms, cap: 200ms }
            \(more)

        """
    }

    @Test(arguments: ["in_process", "process"])
    func everythingArrivesOnceAndInOrderWhileBrokersDie(_ isolation: String) async throws {
        try await Workspace.use { workspace in
            let cluster = try await KafkaCluster(workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, cluster, isolation: isolation, more: "max_message: 20KiB"))
            func more(_ count: Int) async throws {
                let seen = try cluster.messages().count
                try await agent.wait(until: "\(count) more messages") { try cluster.messages().count >= seen + count }
            }
            try await more(3)
            for broker in 1...3 {
                try await cluster.command("leader sonde 0 \(broker % 3 + 1)")
                try await cluster.command("down \(broker)")
                try await more(3)
                try await cluster.command("up \(broker)")
            }
            // Not the leader, a request that takes too long, too few replicas, a connection that ends, too large.
            try await cluster.command("errors 0 6 0 7 0 19 0 -195 0 10")
            try await more(8)
            for broker in 1...3 { try await cluster.command("down \(broker)") }
            try await agent.waitForLog("SND-KAF001")
            for broker in 1...3 { try await cluster.command("up \(broker)") }
            try await more(5)
            #expect(try await agent.stop(within: .seconds(40)) == .exited(0))
            let lines = agent.lines(in: "local").map(String.init)
            try await eventually("every line is in the topic") {
                try cluster.messages().map(\.body).joined().split(separator: "\n").count >= lines.count
            }
            let messages = try cluster.messages()
            let arrived: [String] = messages.flatMap { PointLine.whole($0.body).map(String.init) }
            #expect(arrived == lines)
            #expect(messages.allSatisfy { $0.body.utf8.count <= 20 << 10 })
            let stretches = messages.compactMap { Stretch($0.headers["Sonde-Batch"]) }
            #expect(stretches.count == messages.count)
            let different = stretches.reduce(into: [Stretch]()) { if $0.last != $1 { $0.append($1) } }
            #expect(Stretch.areConsecutive(different))
            #expect(Set(messages.map { $0.headers["key"] }).count == 1)
            #expect(agent.log.contains("recovered from SND-KAF001"))
        }
    }

    @Test func librdkafkaIsMappedWhereItIsUsedAndNowhereElse() async throws {
        for isolation in ["in_process", "process"] {
            try await Workspace.use { workspace in
                let cluster = try await KafkaCluster(workspace)
                let agent = try workspace.startAgent(Self.configuration(workspace, cluster, isolation: isolation))
                try await agent.wait(until: "a message") { try !cluster.messages().isEmpty }
                let maps = try await workspace.run(["/usr/bin/cat", "/proc/\(agent.process.processID)/maps"]).output
                #expect(maps.contains("sonded"))
                #expect(maps.contains("librdkafka") == (isolation == "in_process"))
            }
        }
    }

    @Test func aKilledAgentSendsWhatWasNotConfirmedAgain() async throws {
        try await Workspace.use { workspace in
            let cluster = try await KafkaCluster(workspace)
            let configuration = Self.configuration(workspace, cluster, isolation: "in_process")
            let first = try workspace.startAgent(configuration)
            try await first.wait(until: "messages") { try cluster.messages().count >= 3 }
            for broker in 1...3 { try await cluster.command("down \(broker)") }
            try await first.waitForLog("SND-KAF001")
            first.process.kill()
            for broker in 1...3 { try await cluster.command("up \(broker)") }
            let seen = try cluster.messages().count
            let second = try workspace.startAgent(configuration)
            try await second.wait(until: "more messages") { try cluster.messages().count >= seen + 3 }
            #expect(try await second.stop() == .exited(0))
            let stretches = try cluster.messages().compactMap { Stretch($0.headers["Sonde-Batch"]) }
            #expect(Stretch.areConsecutive(stretches), "\(stretches)")
        }
    }

    @Test func thePasswordIsInNothingThatTheAgentWrites() async throws {
        let canary = "canary-kafka-7"
        try await Workspace.use { workspace in
            let cluster = try await KafkaCluster(workspace)
            let file = try workspace.write("secret-password", canary + "\n")
            let sasl = """
                sasl: { mechanism: PLAIN, username: u, password: "${file:\(file)}" }
                    allow_insecure: true
                """
            let agent = try workspace.startAgent(
                Self.configuration(workspace, cluster, isolation: "process", more: sasl))
            // The mock cluster knows no SASL.
            try await agent.waitForLog("[SND-KAF0")
            let shown = try await workspace.sonde("config", "show", "-c", workspace.path("sonde.yaml"))
            #expect(shown.output.contains("***"))
            #expect(!shown.output.contains(canary))
            _ = try await agent.stop()
            let all = FileManager.default.enumerator(atPath: workspace.directory)?.allObjects as? [String] ?? []
            for name in all where !name.hasPrefix("secret-") {
                let bytes = FileManager.default.contents(atPath: workspace.path(name)) ?? Data()
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func theShippedExampleRuns() async throws {
        try await Workspace.use { workspace in
            let cluster = try await KafkaCluster(workspace)
            let agent = try workspace.startAgent(
                try Checkout.text("config/examples/kafka.yaml")
                    .replacing("127.0.0.1:9092", with: cluster.brokers[0])
                    .replacing("/var/lib/sonde", with: workspace.path("state"))
                    .replacing("wait: 10s", with: "wait: 1s"))
            try await agent.wait(until: "a message") { try !cluster.messages().isEmpty }
            #expect(try await agent.stop() == .exited(0))
            #expect(try cluster.messages()[0].body.hasPrefix("{\"time\":\""))
        }
    }
}
