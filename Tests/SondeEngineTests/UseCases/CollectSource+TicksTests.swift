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

    @Test func aCollectionIsOneOfTheReadingsAndNoWakeUpBesideATick() {
        let bench = SourceBench(offersTick: true)
        _ = bench.channel.requestTick(every: .milliseconds(100))
        bench.run(for: .milliseconds(5_050))
        #expect(bench.source.collections == 6)
        #expect(ticks(bench) == 45)
        let gaps = zip(bench.steps, bench.steps.dropFirst()).map { $1.since($0) }
        #expect(Set(gaps) == [.milliseconds(100)])
    }

    @Test func aPeriodThatDoesNotDivideTheIntervalBeginsAnewWithEachCollection() {
        let bench = SourceBench(offersTick: true)
        _ = bench.channel.requestTick(every: .milliseconds(300))
        bench.run(for: .milliseconds(1_950))
        let times = bench.steps.map { ($0.since(bench.steps[0]).value + 500_000) / 1_000_000 }
        #expect(times == [0, 300, 600, 1_000, 1_300, 1_600])
    }

    @Test func aCollectionThatTakesLongMissesTicksAndKeepsTheGrid() {
        let bench = SourceBench(offersTick: true) { clock, _ in clock.advance(by: .milliseconds(250)) }
        _ = bench.channel.requestTick(every: .milliseconds(100))
        bench.run(for: .milliseconds(950))
        #expect(bench.source.calls.dropFirst().prefix(3) == [.collect(isFinal: false), .tick, .tick])
        #expect(bench.steps.dropFirst().first.map { bench.seconds(of: $0) } == 0.3)
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
