import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@Suite struct DeliverBatchesStatusTests {
    private func bench(failing failureClass: FailureClass, times: Int) -> SinkBench {
        SinkBench { _, number, _ throws(SondeError) in
            if number <= times { throw .fake(failureClass, stage: .deliver) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
    }

    @Test func aSinkWithoutAnythingToDoIsIdle() {
        let bench = SinkBench()
        bench.run(for: .seconds(1))
        #expect(bench.entry.current.state == .idle)
        #expect(bench.entry.current.lastSuccess == nil)
    }

    @Test func aDeliveryIsCountedAndTheSinkIsIdleAgain() {
        let bench = SinkBench()
        bench.commit(7)
        bench.run(for: .seconds(10))
        let status = bench.entry.current
        #expect(status.state == .idle)
        #expect(status.delivery.deliveredPoints == 7)
        #expect(status.lastSuccess != nil)
    }

    @Test func aSinkThatDeliversIsNotIdleAndOverdueWhenItHangs() {
        let seen = SeenStates()
        let bench = SinkBench { _, _, _ in
            seen.look()
            seen.entry?.update { $0.beginHang(.fake(.transient), at: $0.since) }
            seen.look()
            seen.entry?.update { $0.endHang() }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        seen.watch(bench.entry)
        bench.run(for: .seconds(1))
        bench.commit(1)
        bench.run(for: .seconds(10))
        #expect(seen.states == [.running, .overdue])
        #expect(bench.entry.current.state == .idle)
    }

    @Test(arguments: [(FailureClass.transient, InstanceState.backingOff), (.configuration, .held)])
    func aSinkWhoseReceiverFailsWaitsForItsNextAttempt(_ failureClass: FailureClass, _ state: InstanceState) {
        let bench = bench(failing: failureClass, times: .max)
        bench.commit(1)
        bench.run(for: .seconds(30))
        let status = bench.entry.current
        #expect(status.state == state)
        #expect(status.isFailing)
        #expect(status.delivery.failedAttempts == status.failure?.count)
        #expect((status.nextAttempt ?? bench.clock.monotonicTime) > bench.clock.monotonicTime)
    }

    @Test func aReceiverThatComesBackEndsTheRow() {
        let bench = bench(failing: .transient, times: 3)
        bench.commit(1)
        bench.run(for: .seconds(300))
        let status = bench.entry.current
        #expect(status.failure?.count == 3)
        #expect(status.failure?.ended != nil)
        #expect(status.state == .idle)
    }
}

/// What a receiver sees of its sink's status while it is inside a delivery.
private final class SeenStates: Sendable {
    private let state = Mutex<(entry: StatusEntry?, states: [InstanceState])>((nil, []))

    var entry: StatusEntry? { state.withLock { $0.entry } }
    var states: [InstanceState] { state.withLock { $0.states } }

    func watch(_ entry: StatusEntry) { state.withLock { $0.entry = entry } }

    func look() {
        state.withLock { state in
            if let entry = state.entry { state.states.append(entry.current.state) }
        }
    }
}
