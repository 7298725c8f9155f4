import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// One instance of a sink continues for another, or is removed permanently.
@Suite struct DeliverBatchesHandOverTests {
    /// A sink with three points that an earlier instance left.
    private func bench() -> SinkBench {
        let spool = MemorySpool(epoch: "epoch", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.addReader("sink", .durable, wants: .metrics)
        spool.append(1...3, at: MonotonicInstant(nanoseconds: 1))
        return SinkBench(spool: spool)
    }

    @Test func whatAnEarlierRunLeftIsNotSentAtOnce() {
        let bench = bench()
        bench.run(for: .seconds(1))
        #expect(bench.offers.isEmpty)
        bench.run(for: .seconds(30))
        #expect(bench.deliveredNumbers == [1, 2, 3])
    }

    @Test func anInstanceThatTakesOverGoesOnAtOnce() {
        let bench = bench()
        bench.useCase.takeOver()
        bench.run(for: .seconds(1))
        #expect(bench.deliveredNumbers == [1, 2, 3])
    }

    @Test func whatWaitsForASinkThatLeavesForGoodIsLost() {
        let bench = bench()
        bench.useCase.giveUpPlace()
        #expect(bench.useCase.waiting == 0)
        let losses = bench.spool.takeLosses()
        #expect(losses.map(\.reason) == ["sink_removed"])
        #expect(losses.map(\.component) == ["sink"])
        #expect(losses.map(\.count) == [3])
    }
}
