import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct RetryNowTests {
    private let retry = RetryNow()

    @Test func onlyTheInstanceThatIsNamedIsWoken() {
        let (first, second) = (RecordingWakeup(), RecordingWakeup())
        _ = retry.add("central", wakeup: first)
        _ = retry.add("local", wakeup: second)
        #expect(retry("central"))
        #expect(first.instants.count == 1)
        #expect(second.instants.isEmpty)
        #expect(!retry("nobody"))
    }

    @Test func whoHasTheIdAfterAReloadIsWokenAndItsPredecessorIsNot() {
        let (old, new) = (RecordingWakeup(), RecordingWakeup())
        let leaving = retry.add("central", wakeup: old)
        retry.admit(RetryRequest(wakeup: new), of: "central")
        // The one that leaves ends after its successor was made known.
        retry.dismiss(leaving, of: "central")
        #expect(retry("central"))
        #expect(old.instants.isEmpty)
        #expect(new.instants.count == 1)
    }

    @Test func whoMayBeNamedIsKnownInOrder() {
        let leaving = retry.add("local", wakeup: RecordingWakeup())
        _ = retry.add("kernel", wakeup: RecordingWakeup())
        _ = retry.add("central", wakeup: RecordingWakeup())
        #expect(retry.ids == ["central", "kernel", "local"])
        retry.dismiss(leaving, of: "local")
        #expect(retry.ids == ["central", "kernel"])
    }

    @Test func whoHasLeftIsUnknown() {
        let request = retry.add("central", wakeup: RecordingWakeup())
        retry.dismiss(request, of: "central")
        #expect(!retry("central"))
    }

    @Test func aSourceThatWaitsAfterAFailureTriesAgainAtOnceAndOneThatIsWellIsNotDisturbed() {
        let pipeline = PipelineBench()
        let source = FakeSourceInstance()
        let useCase = CollectSource(
            configuration: SourceConfiguration(id: "kernel", plugin: "fake", interval: .seconds(10)), instance: source,
            channel: pipeline.channel(), log: pipeline.log, observer: RecordingObserver(), cancelDescriptor: -1,
            random: SeededGenerator(seed: 1), retry: retry.add("kernel", wakeup: pipeline.wakeup))
        source.answerStarts([.fake(.configuration)])
        _ = useCase.step()
        _ = useCase.step()
        #expect(source.calls == [.start])
        #expect(retry("kernel"))
        _ = useCase.step()
        #expect(source.calls == [.start, .start, .collect(isFinal: false)])
        #expect(retry("kernel"))
        _ = useCase.step()
        #expect(source.collections == 1)
    }
}
