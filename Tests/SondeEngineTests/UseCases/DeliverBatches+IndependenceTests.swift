import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct DeliverBatchesIndependenceTests {
    @Test func aDeadSinkDelaysNoOtherAndLosesOnlyWhatDoesNotFit() {
        let spool = MemorySpool(epoch: "epoch", maxBytes: 256 << 10, overflow: .dropOldest)
        let healthy = SinkBench(spool: spool)
        spool.addReader("dead", .durable, wants: .metrics)
        for second in 1...300 {
            healthy.commit(100)
            healthy.run(for: .seconds(1))
            #expect(healthy.useCase.waiting <= 200, "second \(second)")
        }
        healthy.run(for: .seconds(2))
        #expect(healthy.deliveredNumbers == Array(1...30_000))
        let lost = healthy.ledger.count(component: "dead", reason: "spool_overflow")
        #expect(lost > 0)
        #expect(healthy.ledger.count(component: "sink", reason: "spool_overflow") == 0)
        let rest = spool.drain("dead", maxCount: 1_000)
        #expect(UInt64(rest.count) + lost == 30_000)
        #expect(rest == Array((lost + 1)...30_000))
    }

    @Test func nothingThatFitsIsLostWhileTheReceiverIsDown() {
        let bench = SinkBench { _, number, _ throws(SondeError) in
            guard number > 20 else { throw .fake(.transient) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        for _ in 0..<600 {
            bench.commit(20)
            bench.run(for: .seconds(1))
        }
        bench.run(for: .seconds(1_200))
        #expect(bench.deliveredNumbers == Array(1...12_000))
        #expect(bench.ledger.all.isEmpty)
    }
}
