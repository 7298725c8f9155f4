import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct AgentHealthTests {
    private func facts(_ seconds: Double?, samples: UInt64 = 0) -> AgentHealth.Facts {
        AgentHealth.Facts(
            memory: 9e6, processorSeconds: seconds, samples: samples, losses: 0, waiting: ["central": 7])
    }

    private func values(_ readings: [HistoryCollector.Reading]) -> [HistoryMetric: Double] {
        Dictionary(
            readings.map { reading in
                guard case .held(let value, _) = reading.observation.value else { return (reading.series.metric, -1) }
                return (reading.series.metric, value)
            }
        ) { first, _ in first }
    }

    @Test func ratesAreThoseSinceTheInstantBefore() {
        var health = AgentHealth()
        let time = Timestamp(seconds: 1_767_225_600)
        let first = health.readings(facts(1), time: time, at: MonotonicInstant(nanoseconds: 0))
        #expect(values(first) == [.agentMemory: 9e6, .agentWaiting: 7])
        let second = health.readings(
            facts(4, samples: 600), time: time, at: MonotonicInstant(nanoseconds: 60_000_000_000))
        #expect(
            values(second)
                == [
                    .agentMemory: 9e6, .agentWaiting: 7, .agentProcessor: 0.05, .agentSamples: 10, .agentLosses: 0,
                ])
        #expect(second.first { $0.series.metric == .agentWaiting }?.series.member == "central")
    }

    @Test func whatTheStatusTellsIsAddedUp() {
        let clock = ManualClock()
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        let ledger = LossLedger(log: RecordingLog())
        let board = StatusBoard(
            facts: AgentFacts(
                version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
                spool: AgentFacts.Spool(kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e")),
            spool: spool, ledger: ledger, clock: clock)
        for (id, count) in [("kernel", 30), ("wire", 12)] {
            board.add(id: id, plugin: "fake", kind: .source).update { $0.take(samples: count, at: clock.monotonicTime) }
        }
        _ = board.add(id: "central", plugin: "http", kind: .sink)
        spool.addReader("central", .durable, wants: .metrics)
        // How much a loss was may not be known: it counts as none rather than not at all.
        ledger.record(Loss(reason: "kernel_drop", component: "wire", count: 5))
        ledger.record(Loss(reason: "log_rotated_away", component: "resolver", count: nil))
        let facts = AgentHealth.Facts(board.status, memory: nil, processorSeconds: 1)
        #expect(facts.samples == 42)
        #expect(facts.losses == 5)
        #expect(facts.waiting == ["central": 0])
        #expect(facts.memory == nil)
    }

    @Test func whatIsNotKnownIsAbsent() {
        var health = AgentHealth()
        for second: Int64 in [0, 60] {
            let readings = health.readings(
                facts(nil), time: Timestamp(seconds: 5), at: MonotonicInstant(nanoseconds: second * 1_000_000_000))
            #expect(values(readings)[.agentProcessor] == nil)
        }
    }
}
