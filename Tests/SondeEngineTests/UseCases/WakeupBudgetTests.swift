import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// What an agent that collects every second may cost: two returns from a timer or poll each second.
@Suite struct WakeupBudgetTests {
    @Test func aSourceIsWokenOncePerInterval() {
        let bench = SourceBench()
        bench.run(for: .seconds(600))
        #expect(bench.steps.count == 601)
    }

    @Test func aSinkIsWokenOncePerBatchWhateverIsCommitted() {
        let bench = SinkBench()
        for _ in 0..<600 {
            bench.commit(200)
            bench.run(for: .seconds(1))
        }
        #expect(bench.sink.delivered.count >= 598)
        #expect(bench.wakes <= 601)
        #expect(bench.steps <= 2 * 601 + 1)
        #expect(bench.wakeup.instants.count <= 2 * 601)
    }

    @Test func aSinkOfManySmallCommitsIsWokenOncePerBatchToo() {
        let bench = SinkBench()
        for _ in 0..<600 {
            for _ in 0..<10 {
                bench.commit(2)
                bench.run(for: .milliseconds(100))
            }
        }
        #expect(bench.wakes <= 601)
        #expect(bench.deliveredNumbers.count >= 11_900)
    }

    @Test func aSourceThatFailsIsWokenLessOften() {
        let bench = SourceBench()
        bench.source.answerCollections(Array(repeating: .fake(.transient, stage: .collect), count: 1_000))
        bench.run(for: .seconds(600))
        #expect(bench.steps.count < 20)
    }

    @Test func aSinkWhoseReceiverIsDownIsWokenLessOften() {
        let bench = SinkBench { _, _, _ throws(SondeError) in throw .fake(.transient) }
        for _ in 0..<600 {
            bench.commit(200)
            bench.run(for: .seconds(1))
        }
        #expect(bench.wakes < 60)
    }

    @Test func aSinkThatNobodyWritesToSleeps() {
        let bench = SinkBench()
        bench.run(for: .seconds(3_600))
        #expect(bench.wakes == 0)
        #expect(bench.steps == 1)
    }
}
