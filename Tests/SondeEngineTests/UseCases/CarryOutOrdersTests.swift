import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

@Suite struct CarryOutOrdersTests {
    private static let down: FakeSinkInstance.Receiver = { _, _, _ throws(SondeError) in throw .fake(.transient) }

    @Test func aPurgeDropsEverythingThatWaitsAlsoWhileTheSinkBacksOff() throws {
        let up = Atomic<Bool>(false)
        let bench = OrderBench { _, _, _ throws(SondeError) in
            guard up.load(ordering: .relaxed) else { throw .fake(.transient) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.sink.commit(30_000)
        bench.sink.run(for: .seconds(5))
        let order = try bench.orders.add(.purgeWaiting(before: nil))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.report(order)?.points == 30_000)
        #expect(bench.purged == 30_000)
        #expect(bench.sink.useCase.waiting == 0)
        up.store(true, ordering: .relaxed)
        bench.sink.commit(3)
        bench.sink.run(for: .seconds(90))
        #expect(bench.sink.deliveredNumbers == [30_001, 30_002, 30_003])
    }

    @Test func aPurgeOfWhatIsOldEndsBeforeTheFirstPointThatIsNot() throws {
        let bench = OrderBench(receiver: Self.down)
        bench.sink.commit(1_000)
        let order = try bench.orders.add(.purgeWaiting(before: Timestamp(seconds: 701)))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.purged == 700)
        #expect(bench.sink.useCase.waiting == 300)
    }

    @Test func aStretchThatWasOfferedIsPurgedWholeOrNotAtAll() throws {
        var configuration = SinkConfiguration.fake(samples: 100)
        configuration.retry.base = .seconds(1)
        let bench = OrderBench(configuration, receiver: Self.down)
        bench.sink.commit(300)
        bench.sink.run(for: .milliseconds(10))
        let half = try bench.orders.add(.purgeWaiting(before: Timestamp(seconds: 50)))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(half)?.state == .done)
        #expect(bench.purged == 0)
        let whole = try bench.orders.add(.purgeWaiting(before: Timestamp(seconds: 101)))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(whole)?.state == .done)
        #expect(bench.purged == 100)
        #expect(Set(bench.sink.sink.offered.map(\.identity.first)) == [1])
        bench.sink.run(for: .seconds(120))
        #expect(Set(bench.sink.sink.offered.map(\.identity.first)) == [1, 101])
    }

    @Test func whatTheSinkIsNotSentIsNoLossWhenItIsPurged() throws {
        let bench = OrderBench(.fake(include: ["nothing.*"]), receiver: Self.down)
        bench.sink.commit(20)
        let order = try bench.orders.add(.purgeWaiting(before: nil))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.purged == 0)
        #expect(bench.sink.useCase.waiting == 0)
    }

    @Test func aDeadLetterThatCannotBeReadIsCountedAndTheOthersAreDelivered() throws {
        let bench = OrderBench(letters: [Batch.refused(5_000...5_004)])
        bench.sink.run(for: .seconds(1))
        let order = try bench.orders.add(.replayDeadLetters(["gone"] + bench.archive.names + ["gone"]))
        bench.sink.run(for: .seconds(1))
        let report = try #require(bench.report(order))
        #expect(report.state == .done)
        #expect(report.refused == 2)
        #expect(report.failure?.code == .deadLetterMissing)
        #expect(bench.sink.deliveredNumbers == Array(5_000...5_004))
    }

    @Test func aDeadLetterIsDeliveredWithItsIdentityAndLeaves() throws {
        let letter = Batch.refused(5_000...5_004)
        let bench = OrderBench(letters: [letter])
        bench.sink.run(for: .seconds(1))
        let order = try bench.orders.add(.replayDeadLetters(bench.archive.names))
        bench.sink.run(for: .seconds(1))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.report(order)?.points == 5)
        #expect(bench.sink.sink.delivered.map(\.identity) == [letter.identity])
        #expect(bench.sink.deliveredNumbers == Array(5_000...5_004))
        #expect(bench.archive.names.isEmpty)
        // It was offered and refused once: neither count of first deliveries changes.
        #expect(bench.sink.useCase.status.deliveredPoints == 0)
        #expect(bench.sink.entry.current.replayedPoints == 5)
    }

    @Test func aDeadLetterThatIsRefusedAgainStaysWithTheNewReason() throws {
        let bench = OrderBench(letters: [.refused(5_000...5_001), .refused(6_000...6_001)]) {
            batch, _, _ throws(SondeError) in
            guard batch.identity.first != 5_000 else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        let order = try bench.orders.add(.replayDeadLetters(bench.archive.names))
        bench.sink.run(for: .seconds(1))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.report(order)?.refused == 1)
        #expect(bench.report(order)?.batches == 1)
        #expect(bench.archive.names == ["5000"])
        #expect(bench.archive.refusals.map(\.name) == ["5000"])
    }

    @Test func aReplayThatFailsHoldsNoLiveBatchUpAndIsTriedAgain() throws {
        let tries = Atomic<Int>(0)
        let bench = OrderBench(letters: [.refused(5_000...5_000)]) { batch, _, _ throws(SondeError) in
            guard batch.identity.first == 5_000 else { return .delivered(rejectedPoints: 0, reason: "") }
            guard tries.wrappingAdd(1, ordering: .relaxed).newValue > 3 else { throw .fake(.transient) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        let order = try bench.orders.add(.replayDeadLetters(bench.archive.names))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(order)?.failure != nil)
        bench.sink.commit(5_000)
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.sink.deliveredNumbers.count == 5_000)
        #expect(bench.report(order)?.state == .running)
        bench.sink.run(for: .seconds(300))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.archive.names.isEmpty)
        #expect(bench.sink.useCase.failure == nil)
    }

    @Test func whatIsSentForTheFirstTimeKeepsItsOrderAndReplaysTakeTurns() throws {
        var configuration = SinkConfiguration.fake(samples: 10)
        configuration.batch.wait = .milliseconds(10)
        let letters = (1...20).map { Batch.refused((5_000 * $0)...(5_000 * $0)) }
        let bench = OrderBench(configuration, letters: letters)
        bench.sink.commit(100)
        let order = try bench.orders.add(.replayDeadLetters(bench.archive.names))
        bench.sink.run(for: .seconds(60))
        #expect(bench.report(order)?.state == .done)
        let firsts = bench.sink.sink.delivered.map(\.identity.first)
        #expect(firsts.first == 1)
        #expect(firsts.filter { $0 < 5_000 } == stride(from: 1, through: 91, by: 10).map { UInt64($0) })
        #expect(firsts.count == 30)
        // Between two live batches there is one replayed batch at most.
        let kinds = firsts.prefix { $0 != 91 }.map { $0 < 5_000 }
        #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 || $1 })
    }

    @Test func aReceiverThatRefusesAccessEndsTheReplayAndTheLettersStay() throws {
        let bench = OrderBench(letters: [.refused(5_000...5_000), .refused(6_000...6_000)]) {
            _, _, _ throws(SondeError) in throw .fake(.configuration)
        }
        let order = try bench.orders.add(.replayDeadLetters(bench.archive.names))
        bench.sink.run(for: .seconds(1))
        #expect(bench.report(order)?.state == .failed)
        #expect(bench.archive.names.count == 2)
        #expect(bench.archive.refusals.isEmpty)
        #expect(bench.sink.sink.offered.count == 1)
    }

    @Test func purgedDeadLettersAreInTheLossLedger() throws {
        let bench = OrderBench(letters: [.refused(100...104), .refused(200...201)])
        let old = try bench.orders.add(.purgeDeadLetters(before: Timestamp(seconds: 200)))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(old)?.batches == 1)
        #expect(bench.purged == 5)
        #expect(bench.archive.names == ["200"])
        let all = try bench.orders.add(.purgeDeadLetters(before: nil))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(all)?.state == .done)
        #expect(bench.purged == 7)
        #expect(bench.archive.names.isEmpty)
    }

    @Test func ordersAreBoundedAndThoseOfASinkThatEndsAreGivenUp() throws {
        let bench = OrderBench()
        let first = try bench.orders.add(.purgeWaiting(before: nil))
        for _ in 1..<SinkOrders.openBound { _ = try bench.orders.add(.purgeWaiting(before: nil)) }
        #expect { try bench.orders.add(.purgeWaiting(before: nil)) } throws: {
            ($0 as? SondeError)?.code == .spoolOrdersFull
        }
        bench.sink.useCase.endOrders()
        #expect(bench.report(first)?.state == .failed)
        #expect { try bench.orders.add(.purgeWaiting(before: nil)) } throws: {
            ($0 as? SondeError)?.code == .spoolSinkEnded
        }
    }

    @Test func aPurgeTakesNothingThatCameAfterIt() throws {
        let bench = OrderBench(receiver: Self.down)
        bench.sink.commit(30_000)
        let order = try bench.orders.add(.purgeWaiting(before: nil))
        _ = bench.sink.useCase.step()
        #expect(bench.report(order)?.points == 20_000)
        bench.sink.commit(10)
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(order)?.state == .done)
        #expect(bench.purged == 30_000)
        #expect(bench.sink.useCase.waiting == 10)
    }

    @Test func aPurgeFailsWhereTheLogCannotBeMadeSafe() throws {
        let spool = FailingSpool()
        let bench = OrderBench(spool: spool, receiver: Self.down)
        bench.sink.commit(10)
        spool.refuseCuts(1)
        let order = try bench.orders.add(.purgeWaiting(before: nil))
        bench.sink.run(for: .milliseconds(1))
        #expect(bench.report(order)?.state == .failed)
        #expect(bench.report(order)?.failure?.code == .spoolWriteFailed)
        #expect(bench.purged == 0)
        #expect(bench.sink.useCase.waiting == 10)
    }

    @Test func aPointOfADeadLetterThatTheReceiverTakesOutIsLost() throws {
        let bench = OrderBench(letters: [.refused(5_000...5_004)]) { _, _, _ in
            .delivered(rejectedPoints: 2, reason: "too old")
        }
        let order = try bench.orders.add(.replayDeadLetters(bench.archive.names))
        bench.sink.run(for: .seconds(1))
        #expect(bench.report(order)?.points == 3)
        let loss = bench.sink.ledger.all.first { $0.reason == "rejected_by_receiver" }
        #expect(loss?.count == 2)
        #expect(loss?.from == Timestamp(seconds: 5_000) && loss?.to == Timestamp(seconds: 5_004))
        #expect(bench.archive.names.isEmpty)
    }

    @Test func anOrderIsNewUntilAStepHasTakenItUp() throws {
        let bench = OrderBench()
        #expect(!bench.sink.useCase.hasNews)
        _ = try bench.orders.add(.purgeWaiting(before: nil))
        #expect(bench.sink.useCase.hasNews)
        _ = bench.sink.useCase.step()
        #expect(!bench.sink.useCase.hasNews)
        #expect(!SinkBench().useCase.hasNews)
    }

    @Test func theLastOrdersAreRemembered() throws {
        let bench = OrderBench()
        let orders = try (1...40).map { _ in
            let order = try bench.orders.add(.purgeWaiting(before: nil))
            bench.sink.run(for: .milliseconds(1))
            return order
        }
        #expect(orders.map { bench.report($0) != nil } == (1...40).map { $0 > 8 })
    }
}
