import SondeDomain
import SondeEngine
import Testing

@Suite struct PluginInstanceTests {
    /// A sink that has no more than it must have.
    private final class DeliveringSink: SinkInstance {
        let preferredContent = SendContent.metrics

        func start() throws(SondeError) {}

        func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome {
            .delivered(rejectedPoints: UInt64(batch.entries.count), reason: "")
        }

        func close() {}
    }

    @Test func aSinkThatOnlyDeliversDoesNotServeAndOffersNoProbe() throws {
        let sink: any SinkInstance = DeliveringSink()
        let call = CallConditions(
            cancelDescriptor: -1, deadline: .distantFuture, time: Timestamp(seconds: 1), interval: .zero)
        let outcome = try sink.probe(call)
        #expect(outcome == .notOffered)
        #expect(!sink.isServing)
    }
}
