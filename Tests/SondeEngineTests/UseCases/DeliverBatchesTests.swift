import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct DeliverBatchesTests {
    @Test func aBatchIsDeliveredWhenItsWaitIsOver() {
        let bench = SinkBench()
        bench.run(for: .seconds(1))
        bench.commit(3)
        bench.run(for: .milliseconds(999))
        #expect(bench.offers.isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(bench.deliveredNumbers == [1, 2, 3])
        #expect(bench.useCase.status.deliveredBatches == 1)
        #expect(bench.useCase.status.deliveredPoints == 3)
        #expect(bench.useCase.waiting == 0)
    }

    @Test func manyCommitsFillOneBatchWithOneWake() {
        let bench = SinkBench()
        bench.run(for: .seconds(1))
        for _ in 0..<9 {
            bench.commit(2)
            bench.run(for: .milliseconds(100))
        }
        bench.run(for: .milliseconds(200))
        #expect(bench.sink.offered.map(\.entries.count) == [18])
        #expect(bench.wakes == 1)
    }

    @Test func aFullBatchDoesNotWait() {
        let bench = SinkBench { $0.batch.samples = 10 }
        bench.run(for: .seconds(1))
        bench.commit(4)
        bench.commit(6)
        bench.run(for: .zero)
        #expect(bench.deliveredNumbers == Array(1...10))
    }

    @Test func whatFillsABatchWhileTheSinkWaitsIsSentAtOnce() {
        let bench = SinkBench {
            $0.batch.samples = 10
            $0.batch.wait = .seconds(3_600)
        }
        bench.commit(4)
        bench.run(for: .seconds(1))
        #expect(bench.last == .whenWoken)
        bench.commit(6)
        bench.run(for: .zero)
        #expect(bench.deliveredNumbers == Array(1...10))
    }

    @Test func whatFillsABatchBetweenALookAndTheWaitIsNotLeftWaiting() {
        let spool = InterruptedSpool()
        var configuration = SinkConfiguration.fake(samples: 10)
        configuration.batch.wait = .seconds(3_600)
        let bench = SinkBench(configuration, spool: spool) { _, _, _ in .delivered(rejectedPoints: 0, reason: "") }
        bench.commit(4)
        spool.interruptNextLook { _ = $0.append(5...10, at: MonotonicInstant(nanoseconds: 1_000_000_000)) }
        bench.run(for: .zero)
        #expect(bench.deliveredNumbers == Array(1...10))
    }

    @Test func fiveHundredErrorsTenTimesThenOneDelivery() {
        let bench = SinkBench { _, number, _ throws(SondeError) in
            guard number > 10 else { throw .fake(.transient, code: "SND-HTTP500") }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(5)
        bench.run(for: .seconds(900))
        #expect(bench.sink.delivered.count == 1)
        #expect(bench.sink.offered.count == 11)
        let gaps = zip(bench.offers, bench.offers.dropFirst()).map { $1 - $0 }
        for (index, gap) in gaps.enumerated() {
            #expect(gap >= 1 && gap <= min(60, Double(2 << index)), "\(gaps)")
        }
        #expect(bench.log.lines(.warning).count == 1)
        #expect(bench.log.lines(.info).map(\.message) == ["recovered from SND-HTTP500"])
    }

    @Test func aRetryIsTheSameBatch() {
        let bench = SinkBench { _, number, _ throws(SondeError) in
            guard number > 3 else { throw .fake(.transient) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(5)
        bench.run(for: .seconds(1))
        bench.commit(7)
        bench.run(for: .seconds(60))
        let first = bench.sink.offered.prefix(4)
        #expect(Set(first.map(\.identity)) == [BatchIdentity(agent: "agent", epoch: "epoch", first: 1, last: 5)])
        #expect(first.allSatisfy { $0.numbers == [1, 2, 3, 4, 5] })
        #expect(first.map(\.attempt) == [0, 1, 2, 3])
        #expect(bench.deliveredNumbers == Array(1...12))
    }

    @Test func whileItBacksOffCommitsWakeNobody() {
        let bench = SinkBench { _, _, _ throws(SondeError) in throw .fake(.configuration) }
        bench.commit(1)
        bench.run(for: .seconds(2))
        let wakes = bench.wakes
        for _ in 0..<60 {
            bench.commit(100)
            bench.run(for: .seconds(1))
        }
        #expect(bench.wakes == wakes)
        #expect(bench.offers.count == 1)
    }

    @Test func aRateLimitWaitsAtLeastAsLongAsAsked() throws {
        let bench = SinkBench { _, number, _ throws(SondeError) in
            guard number > 1 else { throw .fake(.rateLimited, retryAfter: .seconds(30)) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(1)
        bench.run(for: .seconds(120))
        try #require(bench.offers.count == 2)
        let gap = bench.offers[1] - bench.offers[0]
        #expect(gap >= 30 && gap <= 60)
    }

    @Test(arguments: [(nil, 60.0), (Nanoseconds.seconds(30), 60), (.seconds(60), 65), (.seconds(600), 605)])
    func anAttemptMayTakeAsLongAsTheSinksTimeout(timeout: Nanoseconds?, limit: Double) throws {
        var configuration = SinkConfiguration.fake()
        configuration.options = OptionValues(timeout.map { ["timeout": .duration($0)] } ?? [:])
        let bench = SinkBench(configuration) { _, _, _ in .delivered(rejectedPoints: 0, reason: "") }
        bench.commit(1)
        bench.run(for: .seconds(10))
        let offer = MonotonicInstant(nanoseconds: 1_000_000_000).advanced(by: Nanoseconds(Int64(bench.offers[0] * 1e9)))
        // The start precedes it, with its own deadline.
        #expect(bench.observer.deadlines.last.map { $0.since(offer).seconds } == limit)
    }

    @Test func whatNeedsAPersonIsHeldAndProbedEveryFourToSixMinutes() {
        let bench = SinkBench { _, number, _ throws(SondeError) in
            guard number > 8 else { throw .fake(.configuration, code: "SND-HTTP401") }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(1)
        bench.run(for: .seconds(3_600))
        let gaps = zip(bench.offers, bench.offers.dropFirst()).map { $1 - $0 }
        #expect(gaps.count == 8)
        #expect(gaps.allSatisfy { $0 >= 240 && $0 <= 360 }, "\(gaps)")
        #expect(bench.log.lines(.error).count == 1)
        #expect(bench.deliveredNumbers == [1])
    }

    @Test func aCancelledDeliveryIsOfferedAgainAndIsNoFailure() {
        let bench = SinkBench { _, number, _ in
            number < 3 ? .cancelled : .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(4)
        bench.run(for: .seconds(10))
        #expect(bench.sink.offered.map(\.identity.text) == Array(repeating: "agent/epoch/1-4", count: 3))
        #expect(bench.deliveredNumbers == [1, 2, 3, 4])
        #expect(bench.useCase.status.failedAttempts == 0)
        #expect(bench.log.lines.isEmpty)
    }

    @Test func whatTheReceiverTookOutIsALoss() {
        let bench = SinkBench { _, _, _ in .delivered(rejectedPoints: 2, reason: "too old") }
        bench.commit(5)
        bench.run(for: .seconds(2))
        #expect(bench.useCase.status.deliveredPoints == 3)
        #expect(bench.ledger.count(component: "sink", reason: "rejected_by_receiver") == 2)
    }

    @Test func aReceiverThatTakesOutMoreThanThereWasIsNotBelieved() {
        let bench = SinkBench { _, _, _ in .delivered(rejectedPoints: .max, reason: "?") }
        bench.commit(5)
        bench.run(for: .seconds(2))
        #expect(bench.useCase.status.deliveredPoints == 0)
        #expect(bench.ledger.count(component: "sink", reason: "rejected_by_receiver") == 5)
    }

    @Test(arguments: FailureClass.allCases)
    func aStartThatFailsIsTriedAgainAfterAWait(failureClass: FailureClass) {
        let bench = SinkBench()
        bench.sink.answerStarts(Array(repeating: .fake(failureClass, stage: .start), count: 5))
        bench.commit(1)
        bench.run(for: .seconds(3_600))
        #expect(bench.sink.startCount == 6)
        #expect(bench.deliveredNumbers == [1])
        #expect(bench.steps < 20)
        #expect(bench.log.lines.count == 2)
    }

    @Test func whatIsFilteredOutIsNotOfferedAndDoesNotWait() {
        let bench = SinkBench { $0.metrics.exclude = ["test.*"] }
        bench.commit(500)
        bench.run(for: .seconds(10))
        #expect(bench.sink.offered.isEmpty)
        #expect(bench.useCase.waiting == 0)
        #expect(bench.useCase.status.deliveredBatches == 0)
    }

    @Test func aLargeBacklogIsDeliveredInOrderWithoutSleepingBetween() {
        let bench = SinkBench { $0.batch.samples = 100 }
        bench.commit(2_550)
        bench.run(for: .zero)
        #expect(bench.sink.delivered.count == 25)
        bench.run(for: .seconds(1))
        #expect(bench.deliveredNumbers == Array(1...2_550))
        #expect(bench.wakes <= 1)
    }

    @Test func anOutputThatIsGoneEndsTheSinkAndHoldsNothing() {
        let bench = SinkBench { _, _, _ throws(SondeError) in throw .fake(.transient, code: ErrorCode.outputClosed.text)
        }
        bench.commit(3)
        bench.run(for: .seconds(5))
        #expect(bench.last == .ended)
        #expect(bench.spool.backlog(of: "sink").count == 0)
        let arms = bench.wakeup.instants.count
        bench.commit(3)
        #expect(bench.wakeup.instants.count == arms)
    }

    @Test func drainingDoesNotWaitForABatchToFill() {
        let bench = SinkBench { $0.batch.wait = .seconds(3_600) }
        bench.commit(3)
        bench.run(for: .seconds(1))
        #expect(bench.offers.isEmpty)
        bench.run(for: .zero, draining: true)
        #expect(bench.deliveredNumbers == [1, 2, 3])
    }

    @Test func onlyABatchAfterWhichNothingWaitsIsTheLastOne() {
        let final = SharedTimes()
        let bench = SinkBench(.fake(samples: 2)) { batch, _, call throws(SondeError) in
            if call.isFinal { final.withLock { $0 += batch.numbers.map { Double($0) } } }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(2)
        bench.run(for: .seconds(2))
        #expect(bench.deliveredNumbers == [1, 2])
        #expect(final.withLock { $0 } == [])
        bench.commit(5)
        bench.run(for: .zero, draining: true)
        #expect(bench.deliveredNumbers == Array(1...7))
        #expect(final.withLock { $0 } == [7])
    }

    @Test func atTheStopABackoffCanBeCutShort() {
        let bench = SinkBench { _, number, _ throws(SondeError) in
            guard number > 6 else { throw .fake(.transient) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(3)
        while bench.offers.count < 6 { bench.run(for: .milliseconds(100)) }
        #expect(bench.useCase.cutBackoffShort())
        #expect(bench.useCase.step(draining: true) == .at(bench.clock.monotonicTime))
        #expect(bench.deliveredNumbers == [1, 2, 3])
        #expect(!bench.useCase.cutBackoffShort())
    }

    @Test(arguments: [FailureClass.rateLimited, .accessRefused])
    func whatTheReceiverOrAPersonMustEndIsNotCutShort(failureClass: FailureClass) {
        let bench = SinkBench { _, _, _ throws(SondeError) in throw .fake(failureClass) }
        bench.commit(3)
        bench.run(for: .seconds(1))
        #expect(!bench.useCase.cutBackoffShort())
    }

    @Test(arguments: FailureClass.allCases)
    func aReceiverThatAlwaysFailsIsNeverHammered(failureClass: FailureClass) {
        let bench = SinkBench { _, _, _ throws(SondeError) in throw .fake(failureClass) }
        for _ in 0..<100 {
            bench.commit(50)
            bench.run(for: .seconds(36))
        }
        #expect(bench.offers.count < 1_000, "\(bench.offers.count) offers in an hour")
        let busiest = Dictionary(grouping: bench.offers) { Int($0) }.values.map(\.count).max() ?? 0
        #expect(busiest < 300, "\(busiest) offers in a second")
    }

    @Test(arguments: [FailureClass.configuration, .permanentData])
    func atTheStopASinkThatIsHeldIsAskedALastTime(failureClass: FailureClass) {
        let bench = SinkBench(.fake(samples: 1)) { _, number, _ throws(SondeError) in
            guard number > 20 else { throw .fake(failureClass) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(30)
        bench.run(for: .zero)
        let offers = bench.offers.count
        #expect(bench.entry.current.state == .held)
        #expect(bench.useCase.cutBackoffShort())
        _ = bench.useCase.step(draining: true)
        #expect(bench.offers.count == offers + 1)
    }

    @Test func aHoldThatTheReceiverTimedIsNotCutShort() {
        let bench = SinkBench { _, _, _ throws(SondeError) in throw .fake(.configuration, retryAfter: .seconds(60)) }
        bench.commit(3)
        bench.run(for: .seconds(1))
        #expect(!bench.useCase.cutBackoffShort())
    }
}
