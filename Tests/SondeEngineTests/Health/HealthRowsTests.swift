import SondeDomain
import Testing

@testable import SondeEngine

@Suite struct HealthRowsTests {
    private let now = MonotonicInstant(nanoseconds: 100_000_000_000)

    /// The rows by name and part.
    private func rows(_ add: (inout HealthRows) -> Void) -> [String: SampleValue] {
        var all = HealthRows(at: now)
        add(&all)
        return Dictionary(all.rows.map { ("\($0.key.metric.rawValue){\($0.key.part)}", $0.value) }) { $1 }
    }

    private func limits(
        _ limits: ResourceLimits, level: Int = 0, processors: Double? = 0.25, memory: UInt64? = 48 << 20
    ) -> LimitStatus {
        LimitStatus(limits: limits, level: level, ladder: [], since: now, processors: processors, memory: memory)
    }

    // MARK: Remote configuration

    @Test func aRemoteConfigurationThatNeverCameHasItsStateAndItsCounts() {
        let status = RemoteStatus(url: "https://h/fleet", RemoteState(), isIgnored: false)
        #expect(
            rows { $0.add(remote: status) } == [
                "sonde.agent.remote.state{none}": .unsigned(1),
                "sonde.agent.remote.request.count{unchanged}": .unsigned(0),
                "sonde.agent.remote.request.count{new}": .unsigned(0),
                "sonde.agent.remote.request.count{refused}": .unsigned(0),
                "sonde.agent.remote.request.count{failed}": .unsigned(0),
            ])
    }

    @Test func aRemoteConfigurationInForceHasItsSerialAndTheTimeSinceTheLastAnswer() {
        var state = RemoteState()
        state.begin(RemoteLayer(serial: 7, text: []), failing: [])
        var status = RemoteStatus(url: "https://h/fleet", state, isIgnored: false)
        status.lastAnswer = MonotonicInstant(nanoseconds: 30_000_000_000)
        status.requests.unchanged = 4
        status.requests.new = 3
        status.requests.refused = 2
        status.requests.failed = 1
        #expect(
            rows { $0.add(remote: status) } == [
                "sonde.agent.remote.state{probation}": .unsigned(1), "sonde.agent.remote.serial{}": .unsigned(7),
                "sonde.agent.remote.lag{}": .double(70),
                "sonde.agent.remote.request.count{unchanged}": .unsigned(4),
                "sonde.agent.remote.request.count{new}": .unsigned(3),
                "sonde.agent.remote.request.count{refused}": .unsigned(2),
                "sonde.agent.remote.request.count{failed}": .unsigned(1),
            ])
    }

    // MARK: Limits

    @Test func whatIsUsedOfALimitIsAShareOfIt() {
        let status = limits(ResourceLimits(processors: 0.5, memory: 64 << 20), level: 3)
        #expect(
            rows { $0.add(status) } == [
                "sonde.agent.limit.level{}": .unsigned(3), "sonde.agent.limit.utilization{cpu}": .double(0.5),
                "sonde.agent.limit.utilization{memory}": .double(0.75),
            ])
    }

    @Test func whereThereIsNoLimitOrNothingIsKnownNoShareIsReported() {
        let all = ResourceLimits(processors: 0.5, memory: 64 << 20)
        for status in [
            limits(ResourceLimits()), limits(ResourceLimits(processors: 0, memory: 0)),
            limits(all, processors: nil, memory: nil),
        ] {
            #expect(rows { $0.add(status) } == ["sonde.agent.limit.level{}": .unsigned(0)])
        }
        let known = rows { $0.add(limits(all, processors: nil)) }
        #expect(known["sonde.agent.limit.utilization{cpu}"] == nil)
        #expect(known["sonde.agent.limit.utilization{memory}"] == .double(0.75))
    }
}
