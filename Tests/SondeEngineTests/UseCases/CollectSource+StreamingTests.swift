import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@Suite struct CollectSourceStreamingTests {
    @Test func aStreamRunsUntilItIsCancelled() {
        let bench = SourceBench(isStreaming: true)
        bench.run(for: .seconds(3_600))
        #expect(bench.source.calls == [.start, .run])
        bench.useCase.finish()
        #expect(bench.source.calls == [.start, .run])
    }

    @Test func aStreamHasNoDeadline() {
        let bench = SourceBench(isStreaming: true)
        bench.run(for: .zero)
        #expect(bench.observer.deadlines.last == .distantFuture)
    }

    @Test(arguments: FailureClass.allCases)
    func aStreamThatFailsAtOnceBacksOffFurtherEachTime(failureClass: FailureClass) {
        let bench = SourceBench(isStreaming: true)
        bench.source.answerRuns(Array(repeating: .fake(failureClass, stage: .collect), count: 1_000))
        bench.run(for: .seconds(3_600))
        // Local failures wait half a minute at most.
        #expect(bench.steps.count < 300, "\(bench.steps.count) runs in an hour")
        // A defect that lasts is held, which is a second line.
        #expect(bench.log.lines.count == (failureClass == .programmer ? 2 : 1), "\(bench.log.lines)")
    }

    @Test func aStreamThatHeldForLongBeginsAFreshRow() {
        let bench = SourceBench(isStreaming: true) { clock, _ in clock.advance(by: .seconds(120)) }
        bench.source.answerRuns(Array(repeating: .fake(.transient, stage: .collect), count: 20))
        bench.run(for: .seconds(2_000))
        let gaps = zip(bench.steps, bench.steps.dropFirst()).map { $1.since($0) }
        #expect(gaps.allSatisfy { $0 <= .seconds(122) }, "\(gaps)")
        #expect(bench.log.lines(.error).count == bench.steps.count)
    }

    @Test func aStreamThatCouldNotBeOpenedRecoversWhenItIs() {
        let bench = SourceBench(isStreaming: true)
        bench.source.answerStarts([.fake(.configuration, stage: .start)])
        bench.run(for: .seconds(600))
        #expect(bench.source.calls == [.start, .start, .run])
        #expect(bench.log.lines(.info).count == 1)
    }

    @Test func samplesOfAStreamAreStampedWithTheClock() {
        let pipeline = PipelineBench()
        let channel = pipeline.channel()
        let handle = channel.openSeries(SeriesSpecification(name: "test.gauge", kind: .gauge, unit: "1"))
        let clock = pipeline.clock
        let source = FakeSourceInstance(isStreaming: true) { _ in
            clock.advance(by: .seconds(90))
            _ = channel.commit([Sample(series: handle, value: .unsigned(1))], checkpoint: nil, rejections: [])
        }
        let useCase = CollectSource(
            configuration: SourceConfiguration(id: "wire", plugin: "fake", interval: .seconds(1)), instance: source,
            channel: channel, log: pipeline.log, observer: RecordingObserver(), cancelDescriptor: -1,
            random: SeededGenerator(seed: 1))
        _ = useCase.step()
        #expect(pipeline.points().map(\.time) == [clock.wallTime])
    }
}
