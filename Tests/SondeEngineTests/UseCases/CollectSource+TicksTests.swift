import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct CollectSourceTickTests {
    private func ticks(_ bench: SourceBench) -> Int { bench.source.calls.count { $0 == .tick } }

    @Test func ticksComeBetweenCollectionsAtThePeriodAskedFor() {
        let bench = SourceBench(offersTick: true)
        #expect(bench.channel.requestTick(every: .milliseconds(100)))
        bench.run(for: .milliseconds(9_950))
        #expect(bench.source.collections == 10)
        #expect((85...99).contains(ticks(bench)), "\(ticks(bench))")
    }

    @Test func withoutARequestThereIsNone() {
        let bench = SourceBench(offersTick: true)
        bench.run(for: .seconds(5))
        #expect(ticks(bench) == 0)
        #expect(bench.steps.count == 6)
    }

    @Test func aSourceThatOffersNoneGetsNone() {
        let bench = SourceBench()
        _ = bench.channel.requestTick(every: .milliseconds(100))
        bench.run(for: .seconds(5))
        #expect(ticks(bench) == 0)
    }

    @Test func aStandstillIsNoBurstOfTicks() {
        let bench = SourceBench(interval: .seconds(60), offersTick: true)
        _ = bench.channel.requestTick(every: .milliseconds(100))
        bench.run(for: .seconds(1))
        let before = ticks(bench)
        bench.clock.advance(by: .seconds(30))
        bench.run(for: .zero)
        #expect(ticks(bench) == before + 1)
    }

    @Test func ticksStopWhenTheyAreTurnedOff() {
        let bench = SourceBench(offersTick: true)
        _ = bench.channel.requestTick(every: .milliseconds(100))
        bench.run(for: .seconds(2))
        _ = bench.channel.requestTick(every: .zero)
        bench.run(for: .seconds(1))
        let before = ticks(bench)
        bench.run(for: .seconds(5))
        #expect(ticks(bench) == before)
    }

    @Test func aTickThatKeepsFailingIsOneLine() {
        let bench = SourceBench(offersTick: true)
        _ = bench.channel.requestTick(every: .milliseconds(100))
        bench.source.answerTicks(Array(repeating: .fake(.transient, stage: .collect), count: 50))
        bench.run(for: .seconds(4))
        #expect(bench.log.lines.count == 1)
        #expect(bench.source.collections == 5)
    }
}
