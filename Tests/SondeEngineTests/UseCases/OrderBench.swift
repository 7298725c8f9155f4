import SondeDomain
import SondeTestKit

@testable import SondeEngine

/// A bench whose sink takes orders.
final class OrderBench {
    let sink: SinkBench
    let archive: MemoryArchive
    let orders: SinkOrders

    init(
        _ configuration: SinkConfiguration = .fake(),
        letters: [Batch] = [],
        spool: any SpoolStore = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest),
        receiver: @escaping FakeSinkInstance.Receiver = { _, _, _ in .delivered(rejectedPoints: 0, reason: "") }
    ) {
        sink = SinkBench(configuration, spool: spool, receiver: receiver)
        archive = MemoryArchive(letters)
        orders = SinkOrders(sink: "sink", wakeup: sink.wakeup)
        sink.useCase.orders = CarryOutOrders(
            settings: DeliverBatches.Settings(configuration),
            agent: "agent",
            orders: orders,
            spool: sink.spool,
            archive: archive,
            ledger: sink.ledger,
            clock: sink.clock,
            log: sink.log,
            random: SeededGenerator(seed: 1),
            entry: sink.entry
        )
    }

    func report(_ report: SinkOrderReport) -> SinkOrderReport? { orders.report(of: report.order.id) }

    var purged: UInt64 { sink.ledger.count(component: "sink", reason: "purged") }
}
