import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@testable import SondeGateways

@Suite struct TapedServicesTests {
    private func services(
        _ inner: RecordingServices, _ commits: TapedServices.Commits
    ) throws -> (TapedServices, StandingClock) {
        let clock = StandingClock(Timestamp(seconds: 5), MonotonicInstant(nanoseconds: 7))
        let recording = try Recording(
            Recording.head + RecordingPart.makeSource(.init(id: "a", plugin: "b", interval: .seconds(1)), number: 0))
        let tape = try ReplayedSource(recording, number: 0)
        return (TapedServices(inner, clock: clock, tape: tape, commits: commits), clock)
    }

    @Test func whatAHostDoesGoesOn() throws {
        let inner = RecordingServices()
        let (services, clock) = try services(inner, .passed)
        services.log(.info, "line")
        services.reportLoss(Loss(reason: "r", component: "a", count: 1))
        let error = SondeError(.callHangs, stage: .collect, class: .transient, message: "m", recovery: [])
        #expect(services.reportTrouble(error, since: nil))
        services.clearTrouble(error.code, optionPath: nil)
        services.closeSeries(3)
        #expect(services.requestTick(every: .seconds(1)))
        #expect(services.commit([], checkpoint: [1], rejections: []) == .taken)
        #expect(inner.lines == ["info: line"] && inner.losses.count == 1)
        #expect(inner.state.withLock { $0.closed == [3] && $0.troubles.isEmpty && $0.period == .seconds(1) })
        #expect(inner.commits.map(\.checkpoint) == [nil])
        #expect(services.tape?.mode == .replaying)
        #expect(services.clock.wallTime == Timestamp(seconds: 5))
        clock.advance(to: MonotonicInstant(nanoseconds: 1_000_000_007))
        #expect(services.clock.wallTime == Timestamp(seconds: 6))
        clock.advance(to: MonotonicInstant(nanoseconds: 8))
        #expect(services.clock.monotonicTime == MonotonicInstant(nanoseconds: 1_000_000_007))
    }

    @Test func whatIsRecordedIsNotCommitted() throws {
        let inner = RecordingServices()
        inner.state.withLock { $0.checkpoint = [1] }
        let (services, _) = try services(inner, .dropped)
        #expect(services.commit([], checkpoint: [1], rejections: []) == .taken)
        #expect(inner.commits.isEmpty && services.loadCheckpoint() == nil)
    }

    @Test func aSourceOfAnAgentHasNoTape() {
        #expect(RecordingServices().tape == nil)
    }
}
