import Testing

/// One source and three sinks: a file, nginx, and a receiver that fails in every way before it behaves.
@Suite(.enabled(if: NginxReceiver.isInstalled, "nginx is not installed"))
struct FaultyReceiverTests {
    private static let base = Duration.milliseconds(20)
    private static let cap = Duration.milliseconds(200)
    private static let timeout = Duration.milliseconds(300)
    // What a busy machine may add between an answer and the next request.
    private static let slack = Duration.milliseconds(500)

    private static let script: [ScriptedReceiver.Step] =
        Array(repeating: .answer(500), count: 10) + [
            .answer(429, headers: ["Retry-After: 1"]), .silence, .reset, .endless, .answer(204),
        ]

    private static func configuration(_ workspace: Workspace, nginx: String, faulty: String) -> String {
        let own = "metrics: \(OwnSeries.excluded)"
        return """
            version: 1
            agent: { interval: 100ms, host: probe-1 }
            sources:
              - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
            sinks:
              - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms }, \(own) }
              - { id: web, plugin: http, url: "\(nginx)", compression: none, batch: { wait: 20ms }, \(own) }
              - id: faulty
                plugin: http
                url: "\(faulty)"
                timeout: 300ms
                \(own)
                batch: { wait: 20ms }
                retry: { base: 20ms, cap: 200ms }

            """
    }

    @Test func everythingArrivesEverywhereOnceAndNobodyWaitsForTheFaultyOne() async throws {
        try await Workspace.use { workspace in
            try await ScriptedReceiver.use(Self.script) { faulty in
                let nginx = try await NginxReceiver(workspace)
                let agent = try workspace.startAgent(
                    Self.configuration(workspace, nginx: nginx.url, faulty: faulty.url)
                )
                try await agent.wait(until: "the first acknowledgement") {
                    faulty.exchanges.contains(where: \.isAcknowledged)
                }
                // All of it was written while the faulty receiver had taken nothing: more than a second of 100 ms.
                #expect(PointLine.times(agent.lines(in: "local")).count >= 8)
                #expect(try nginx.entries().count >= 8)
                try await agent.wait(until: "three more acknowledgements") {
                    faulty.exchanges.filter(\.isAcknowledged).count >= 4
                }
                #expect(try await agent.stop() == .exited(0))
                let local = agent.lines(in: "local").map(String.init)
                try Self.expectCadence(agent.lines(in: "local"))
                try Self.expectAll(local, in: nginx.entries())
                Self.expectAll(local, in: faulty.exchanges)
                Self.expectSameAgain(faulty.exchanges)
                Self.expectWaits(faulty.exchanges)
            }
        }
    }

    /// A tick every 100 ms, as a rule.
    private static func expectCadence(_ lines: [Substring]) throws {
        let gaps = try PointLine.gaps(lines)
        #expect((90...150).contains(gaps[gaps.count / 2]), "\(gaps)")
    }

    private static func expectAll(_ lines: [String], in entries: [NginxReceiver.Entry]) throws {
        let bodies = entries.map { PointLine.whole($0.body).map(String.init) }
        #expect(bodies.flatMap { $0 } == lines)
        #expect(entries.map { Int($0.points) } == bodies.map(\.count))
        #expect(Set(entries.map(\.sink)) == ["web"])
        let stretches = entries.compactMap { Stretch($0.batch) }
        #expect(stretches.count == entries.count)
        #expect(Stretch.areConsecutive(stretches))
    }

    private static func expectAll(_ lines: [String], in exchanges: [ScriptedReceiver.Exchange]) {
        let taken = exchanges.filter(\.isAcknowledged)
        let bodies = taken.map { PointLine.whole(String(decoding: $0.body, as: UTF8.self)).map(String.init) }
        #expect(bodies.flatMap { $0 } == lines)
        #expect(Set(lines).count == lines.count)
        #expect(taken.map { $0.headers["sonde-points"].flatMap { Int($0) } } == bodies.map(\.count))
        let stretches = taken.compactMap { Stretch($0.headers["sonde-batch"]) }
        #expect(stretches.count == taken.count)
        #expect(stretches.first?.first == 1)
        #expect(Stretch.areConsecutive(stretches))
    }

    /// A stretch is offered unchanged until it is taken.
    private static func expectSameAgain(_ exchanges: [ScriptedReceiver.Exchange]) {
        for (attempt, next) in zip(exchanges, exchanges.dropFirst()) where !attempt.isAcknowledged {
            #expect(next.headers["sonde-batch"] == attempt.headers["sonde-batch"])
            #expect(next.packed == attempt.packed)
        }
    }

    /// Between base and min(cap, base · 2^n), or as the receiver asked and up to five seconds of jitter after it.
    private static func expectWaits(_ exchanges: [ScriptedReceiver.Exchange]) {
        for (index, (attempt, next)) in zip(exchanges, exchanges.dropFirst()).enumerated() {
            let wait = next.arrived - attempt.answered
            let ceiling = min(cap, base * (1 << min(index + 1, 10))) + slack
            switch attempt.step {
            case .answer(429, _):
                #expect(wait >= .seconds(1))
                #expect(wait <= .seconds(6) + slack)
            case .answer(500, _), .reset:
                #expect(wait >= base, "attempt \(index)")
                #expect(wait <= ceiling, "attempt \(index)")
            case .silence:
                #expect(wait <= timeout + ceiling, "attempt \(index)")
            default: break
            }
        }
    }
}
