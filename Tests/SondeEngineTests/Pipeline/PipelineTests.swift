import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct PipelineTests {
    private let bench = PipelineBench()

    @Test func aSinkThatWasRemovedIsNotWokenAndWantsNothing() {
        let gate = DeliveryGate(
            sink: "console", wants: .snapshots, wait: .seconds(1), maxCount: 1, maxBytes: 1, wakeup: bench.wakeup)
        bench.spool.addReader("console", .live, wants: .snapshots)
        bench.pipeline.add(gate)
        gate.becomeIdle()
        #expect(bench.pipeline.wantsSnapshots)
        bench.pipeline.remove(gate)
        #expect(!bench.pipeline.wantsSnapshots)
        let document = Document(schema: "sonde.snapshot/1", time: Timestamp(seconds: 1), json: [0x7b, 0x7d])
        #expect(bench.pipeline.submit([], documents: [document]) == .taken)
        #expect(bench.wakeup.instants.isEmpty)
        #expect(bench.spool.backlog(of: "console").count == 1)
    }
}
