import SondeDomain
import SondeEngine
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

    @Test func whatIsNotKnownIsAbsent() {
        var health = AgentHealth()
        for second: Int64 in [0, 60] {
            let readings = health.readings(
                facts(nil), time: Timestamp(seconds: 5), at: MonotonicInstant(nanoseconds: second * 1_000_000_000))
            #expect(values(readings)[.agentProcessor] == nil)
        }
    }
}
