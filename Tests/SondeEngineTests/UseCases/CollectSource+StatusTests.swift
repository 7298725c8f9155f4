import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct CollectSourceStatusTests {
    @Test func aSourceThatWorksRunsAndTellsWhenItCollectsNext() {
        let bench = SourceBench(interval: .seconds(10))
        bench.run(for: .seconds(25))
        let status = bench.entry.current
        #expect(status.state == .running)
        #expect(status.collection.collections == 3)
        #expect(status.lastSuccess.map(bench.seconds) == 20)
        #expect(status.nextAttempt.map(bench.seconds) == 30)
        #expect(!status.isFailing)
    }

    @Test(arguments: [(FailureClass.transient, InstanceState.backingOff), (.configuration, .held)])
    func aSourceThatCannotStartWaitsForItsNextAttempt(_ failureClass: FailureClass, _ state: InstanceState) {
        let bench = SourceBench()
        bench.source.answerStarts([.fake(failureClass, stage: .start)])
        bench.run(for: .zero)
        let status = bench.entry.current
        #expect(status.state == state)
        #expect(status.failure?.error.failureClass == failureClass)
        #expect(status.collection.failures == 1)
        #expect(status.lastSuccess == nil)
        #expect((status.nextAttempt ?? bench.clock.monotonicTime) > bench.clock.monotonicTime)
    }

    @Test func whoIsSentSnapshotsLearnsOfAFailureThoughNothingIsRead() {
        let bench = SourceBench(wants: .snapshots)
        bench.source.answerStarts([.fake(.transient, stage: .start), .fake(.transient, stage: .start)])
        bench.run(for: .milliseconds(100))
        #expect(bench.pipeline.documents().count == 1)
        // The same failure once more is no news; that it works again is.
        bench.run(for: .seconds(60))
        #expect(bench.pipeline.documents().count == 2)
    }

    @Test func aSourceThatRecoversKeepsTheFailureAsThePast() {
        let bench = SourceBench()
        bench.source.answerStarts([.fake(.transient, stage: .start)])
        bench.run(for: .seconds(60))
        let status = bench.entry.current
        #expect(status.state == .running)
        #expect(status.failure?.ended != nil)
        #expect(!status.isFailing)
    }

    @Test func howLongCollectionsTakeAndHowLateTheyBeginIsCounted() {
        let bench = SourceBench(interval: .seconds(10)) { clock, _ in clock.advance(by: .milliseconds(200)) }
        bench.run(for: .milliseconds(1))
        // The first collection has no time that it could be late for.
        #expect(bench.entry.current.collection.lateness == nil)
        bench.run(for: .seconds(9))
        bench.clock.advance(by: .milliseconds(900))
        bench.run(for: .seconds(1))
        let collection = bench.entry.current.collection
        #expect(collection.collections == 2)
        #expect(collection.duration == .milliseconds(400))
        #expect((collection.lateness ?? .zero) > .milliseconds(90))
        #expect(!collection.isStream)
    }

    @Test func failuresAreCountedByCode() {
        let bench = SourceBench()
        bench.source.answerStarts([.fake(.transient, code: "SND-TST001"), .fake(.transient, code: "SND-TST002")])
        bench.source.answerCollections([.fake(.transient, code: "SND-TST001")])
        bench.run(for: .seconds(60))
        #expect(bench.entry.current.errors.counts == ["SND-TST001": 2, "SND-TST002": 1])
    }

    @Test func codesBeyondTheBoundAreCountedTogether() {
        var status = InstanceStatus(id: "a", plugin: "b", kind: .source, at: MonotonicInstant(nanoseconds: 0))
        for number in 0..<(2 * ErrorCounts.bound) {
            status.fail(.fake(.transient, code: "SND-TST\(number)"), at: status.since)
        }
        #expect(status.errors.counts.count == ErrorCounts.bound + 1)
        #expect(status.errors.counts["other"] == UInt64(ErrorCounts.bound))
    }

    @Test func aStreamThatHasEndedIsIdle() {
        let bench = SourceBench(isStreaming: true)
        bench.run(for: .seconds(1))
        #expect(bench.entry.current.state == .idle)
        #expect(bench.entry.current.nextAttempt == nil)
    }
}
