import SondeDomain
import SondeEngine
import Testing

@Suite struct InstanceStatusTests {
    private static let error = SondeError(
        ErrorCode("SND-TST001"), stage: .collect, class: .transient, message: "it does not work")

    private func second(_ count: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: count * 1_000_000_000)
    }

    private func status() -> InstanceStatus {
        InstanceStatus(id: "kernel", plugin: "procnet", kind: .source, at: second(1))
    }

    @Test func anInstanceBeginsByStarting() {
        let status = status()
        #expect(status.state == .starting)
        #expect(status.since == second(1))
        #expect(status.lastSuccess == nil)
        #expect(status.nextAttempt == nil)
        #expect(!status.isFailing)
    }

    @Test func enteringAStateAgainKeepsSinceAndTakesTheNewAttempt() {
        var status = status()
        status.enter(.running, at: second(2), until: second(12))
        status.enter(.running, at: second(12), until: second(22))
        #expect(status.since == second(2))
        #expect(status.nextAttempt == second(22))
    }

    @Test func anInstantThatNeverComesIsNoAttempt() {
        var status = status()
        status.enter(.idle, at: second(2), until: .distantFuture)
        #expect(status.nextAttempt == nil)
    }

    @Test(arguments: [InstanceState.starting, .running, .backingOff, .held, .idle])
    func whatStopsDoesNotGoBack(_ state: InstanceState) {
        var status = status()
        status.enter(.stopping, at: second(2))
        status.enter(state, at: second(3))
        #expect(status.state == .stopping)
        status.enter(.ended, at: second(4))
        status.enter(state, at: second(5))
        status.enter(.stopping, at: second(6))
        #expect(status.state == .ended)
        #expect(status.since == second(4))
    }

    @Test func failuresInARowAreOneWithACount() {
        var status = status()
        status.fail(Self.error, at: second(2))
        status.fail(Self.error, at: second(5))
        #expect(status.failure?.since == second(2))
        #expect(status.failure?.last == second(5))
        #expect(status.failure?.count == 2)
        #expect(status.isFailing)
    }

    @Test func aFailureThatIsOverIsKeptAsThePast() {
        var status = status()
        status.fail(Self.error, at: second(2))
        status.recover(at: second(3))
        status.recover(at: second(9))
        #expect(status.failure?.ended == second(3))
        #expect(!status.isFailing)
    }

    @Test func aFailureAfterARecoveryBeginsANewRow() {
        var status = status()
        status.fail(Self.error, at: second(2))
        status.recover(at: second(3))
        status.fail(Self.error, at: second(4))
        #expect(status.failure?.since == second(4))
        #expect(status.failure?.count == 1)
        #expect(status.failure?.ended == nil)
    }

    @Test func aCallThatHangsIsAFailureUntilItReturns() {
        var status = status()
        status.beginHang(Self.error, at: second(2))
        #expect(status.isFailing)
        status.endHang()
        #expect(!status.isFailing)
    }

    @Test(arguments: [InstanceState.starting, .running, .idle, .backingOff, .stopping])
    func aCallThatHangsIsOverdueWhateverItsInstanceDidBefore(_ before: InstanceState) {
        var status = status()
        status.enter(before, at: second(2), until: second(4))
        let since = status.since
        status.beginHang(Self.error, at: second(9))
        #expect(status.state == .overdue)
        #expect(status.state.isFailing)
        #expect(status.since == second(9))
        #expect(status.nextAttempt == nil)
        status.endHang()
        #expect(status.state == before)
        #expect(status.since == since)
        #expect(status.nextAttempt == second(4))
    }

    @Test func whatHasEndedIsNotOverdue() {
        var status = status()
        status.beginHang(Self.error, at: second(2))
        status.enter(.ended, at: second(3))
        #expect(status.state == .ended)
        #expect(status.since == second(3))
    }

    @Test func aCommitOfAPolledSourceDoesNotMakeItsCollectionASuccess() {
        var status = status()
        status.fail(Self.error, at: second(2))
        status.take(samples: 3, at: second(300))
        #expect(status.samples == 3)
        #expect(status.lastSuccess == nil)
        #expect(status.isFailing)
    }

    @Test func aStreamThatHoldsForAMinuteHasRecovered() {
        var status = status()
        status.fail(Self.error, at: second(2))
        status.beginStream(at: second(10))
        status.take(samples: 1, at: second(69))
        #expect(status.lastSuccess == second(69))
        #expect(status.isFailing)
        status.take(samples: 1, at: second(70))
        #expect(!status.isFailing)
    }
}
