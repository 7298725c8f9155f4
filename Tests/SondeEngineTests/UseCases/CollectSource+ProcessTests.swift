import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

/// A source whose instance has a process to itself, which may end at any time.
@Suite struct CollectSourceProcessTests {
    private let gone = SondeError.fake(.transient, stage: .collect)

    @Test func aProcessThatHasEndedIsStartedAnewAfterTheBackoffAndNotAtTheNextCollection() {
        let bench = SourceBench(interval: .seconds(3_600))
        _ = bench.useCase.step()
        bench.ended.give(gone)
        let next = bench.useCase.step()
        #expect(bench.source.calls == [.start, .collect(isFinal: false)])
        #expect(next.since(bench.clock.monotonicTime) < .seconds(2))
        bench.clock.advance(by: next.since(bench.clock.monotonicTime))
        #expect(bench.seconds(of: bench.useCase.step()) == 3_600)
        #expect(bench.source.calls == [.start, .collect(isFinal: false), .start, .collect(isFinal: false)])
        #expect(bench.log.lines.map(\.level) == [.error, .info])
    }

    /// A confined one ends with every failure: the end is taken by who asks for it, and no notice comes.
    @Test func aProcessThatHasEndedWithACollectionIsStartedAnewWithoutANotice() {
        let bench = SourceBench(interval: .seconds(10))
        bench.source.endWithFailures()
        bench.source.answerCollections([nil, gone])
        bench.run(for: .seconds(60))
        let beginning = [FakeSourceInstance.Call.start] + Array(repeating: .collect(isFinal: false), count: 2)
        #expect(bench.source.calls.starts(with: beginning + [.start, .collect(isFinal: false)]))
        #expect(bench.log.lines.map(\.level) == [.error, .info], "\(bench.log.lines)")
    }

    @Test func oneThatEndsAfterEveryStartBacksOffFurtherEachTime() {
        let bench = SourceBench(interval: .seconds(1)) { _, _ in }
        bench.source.answerCollections(Array(repeating: gone, count: 1_000))
        let end = bench.clock.monotonicTime.advanced(by: .seconds(3_600))
        var starts = 0
        while bench.clock.monotonicTime < end, starts < 1_000 {
            bench.ended.give(gone)
            let next = bench.useCase.step()
            bench.clock.advance(by: max(.milliseconds(1), next.since(bench.clock.monotonicTime)))
            starts += 1
        }
        #expect(starts < 300, "\(starts) in an hour")
        #expect(bench.log.lines.count == 1, "\(bench.log.lines)")
    }

    @Test func oneThatCrashesAfterEveryStartIsHeldAndThatIsLogged() {
        let crash = SondeError.fake(.programmer, stage: .collect)
        let bench = SourceBench(interval: .seconds(1)) { _, _ in }
        bench.source.answerCollections(Array(repeating: crash, count: 1_000))
        var wait = Nanoseconds.zero
        for _ in 0..<12 {
            bench.ended.give(crash)
            wait = bench.useCase.step().since(bench.clock.monotonicTime)
            bench.clock.advance(by: max(.milliseconds(1), wait))
        }
        #expect(wait >= .seconds(239), "it is probed")
        // The first crash, and that it is held.
        #expect(bench.log.lines.map(\.level) == [.error, .error], "\(bench.log.lines)")
    }

    @Test func aStreamIsOpenedAnew() {
        let bench = SourceBench(isStreaming: true)
        bench.source.answerRuns([gone])
        bench.ended.give(gone)
        bench.run(for: .seconds(60))
        #expect(bench.source.calls.suffix(2) == [.start, .run])
        #expect(bench.source.calls.count >= 4)
    }

    /// What it has read and not reported is gone, and so is what it would have read until it runs again.
    @Test(arguments: [ErrorCode.childEnded, .childBrokeProtocol])
    func theGapOfAStreamWhoseProcessHasEndedIsALoss(_ code: ErrorCode) throws {
        let bench = SourceBench(isStreaming: true)
        let began = bench.clock.wallTime
        bench.source.answerRuns([SondeError(code, stage: .collect, class: .programmer, message: "ended")])
        _ = bench.useCase.step()
        #expect(bench.pipeline.ledger.all.isEmpty)
        bench.clock.advance(by: .seconds(300))
        _ = bench.useCase.step()
        let loss = try #require(bench.pipeline.ledger.all.first)
        #expect(loss.reason == "process_ended" && loss.component == "kernel" && loss.count == nil)
        #expect(loss.from == began && loss.to == bench.clock.wallTime)
        #expect(bench.pipeline.ledger.all.count == 1)
    }

    /// What it had read it has reported: what passes until it runs again is lost.
    @Test func theGapOfAStreamThatHasReportedSomethingAndFailsIsALoss() throws {
        let bench = SourceBench(isStreaming: true)
        let handle = bench.channel.openSeries(SeriesSpecification(name: "acme.load", kind: .gauge, unit: "1"))
        bench.source.answerRuns([.fake(.transient, stage: .collect)])
        let samples = [Sample(series: handle, value: .double(1))]
        #expect(bench.channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        let failed = bench.clock.wallTime
        _ = bench.useCase.step()
        bench.clock.advance(by: .seconds(300))
        _ = bench.useCase.step()
        let loss = try #require(bench.pipeline.ledger.all.first)
        #expect(loss.reason == "stream_interrupted" && loss.component == "kernel" && loss.count == nil)
        #expect(loss.from == failed && loss.to == bench.clock.wallTime)
        #expect(bench.pipeline.ledger.all.count == 1)
    }

    @Test func aStreamThatFailsByItselfAndHadNothingToReadLosesNothing() {
        let bench = SourceBench(isStreaming: true)
        bench.source.answerRuns([.fake(.transient, stage: .collect)])
        bench.run(for: .seconds(300))
        #expect(bench.pipeline.ledger.all.isEmpty)
    }
}
