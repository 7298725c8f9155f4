import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct DeliverBatchesStorageTests {
    @Test func whatCannotBeCutIsAskedForAgainAfterASecondWithoutAnyCommit() {
        let spool = FailingSpool()
        let bench = SinkBench({ $0.batch.samples = 3 }, spool: spool)
        spool.refuseCuts(2)
        bench.commit(3)
        bench.run(for: .milliseconds(1_900))
        #expect(bench.offers.isEmpty)
        bench.run(for: .milliseconds(200))
        #expect(bench.deliveredNumbers == [1, 2, 3])
        #expect(bench.offers == [2])
    }

    @Test func whatAReadFindsLostIsInTheLedgerBeforeTheBatchIsOffered() {
        let spool = FailingSpool()
        let bench = SinkBench({ $0.batch.samples = 3 }, spool: spool)
        spool.lose(Loss(reason: "spool_damaged", component: "sink", count: 7))
        bench.commit(3)
        bench.run(for: .zero)
        #expect(bench.ledger.count(component: "sink", reason: "spool_damaged") == 7)
        #expect(bench.deliveredNumbers == [1, 2, 3])
    }
}
