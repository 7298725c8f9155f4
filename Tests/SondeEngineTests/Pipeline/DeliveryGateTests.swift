import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct DeliveryGateTests {
    private let wakeup = RecordingWakeup()
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func gate(maxCount: Int = 10, maxBytes: Int64 = 1_000) -> DeliveryGate {
        DeliveryGate(
            sink: "a", wants: .metrics, wait: .seconds(1), maxCount: maxCount, maxBytes: maxBytes, wakeup: wakeup)
    }

    private func backlog(_ count: Int, bytes: Int64 = 1, oldest: MonotonicInstant? = nil) -> Backlog {
        var backlog = Backlog()
        backlog.count = count
        backlog.bytes = bytes
        backlog.oldest = oldest ?? start
        return backlog
    }

    @Test func aNewGateIsBusyAndLooksAtNothing() {
        gate().dataArrived(at: start) {
            Issue.record("the log was walked for a busy sink")
            return backlog(100)
        }
        #expect(wakeup.instants.isEmpty)
    }

    @Test func theFirstDataOfAnIdleSinkSetsTheTimerOnce() {
        let gate = gate()
        gate.becomeIdle()
        for count in 1...5 { gate.dataArrived(at: start) { backlog(count) } }
        #expect(wakeup.instants == [start.advanced(by: .seconds(1))])
    }

    @Test(arguments: [(10, Int64(1)), (2, 1_000)])
    func aFullBatchWakesAtOnceAndOnce(count: Int, bytes: Int64) {
        let gate = gate()
        gate.becomeIdle()
        gate.dataArrived(at: start) { backlog(1) }
        for _ in 0..<3 { gate.dataArrived(at: start) { backlog(count, bytes: bytes) } }
        #expect(wakeup.instants == [start.advanced(by: .seconds(1)), start])
    }

    @Test func anIdleSinkIsNotWokenByNothing() {
        let gate = gate()
        gate.becomeIdle()
        gate.dataArrived(at: start) { Backlog() }
        #expect(wakeup.instants.isEmpty)
    }

    @Test func aLookMakesItBusy() {
        let gate = gate()
        gate.becomeIdle()
        #expect(gate.readiness(backlog(3), at: start) == start.advanced(by: .seconds(1)))
        gate.dataArrived(at: start) { backlog(100) }
        #expect(wakeup.instants.isEmpty)
    }

    @Test func aBacklogThatIsFullOrOldIsReady() {
        let gate = gate()
        #expect(gate.readiness(backlog(10), at: start) == start)
        let old = MonotonicInstant(nanoseconds: 0)
        #expect(gate.readiness(backlog(1, oldest: old), at: start) <= start)
    }

    @Test func anEndlessWaitIsClamped() {
        let gate = DeliveryGate(
            sink: "a", wants: .metrics, wait: Nanoseconds(.max), maxCount: 10, maxBytes: 10, wakeup: wakeup)
        #expect(gate.readiness(backlog(1), at: start) == .distantFuture)
    }
}
