import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@Suite struct CollectSourceTests {
    @Test func theFirstCollectionIsMadeAtOnce() {
        let bench = SourceBench()
        let next = bench.useCase.step()
        #expect(bench.source.calls == [.start, .collect(isFinal: false)])
        #expect(bench.seconds(of: next) == 1)
    }

    @Test func collectionsLieOnAFixedGrid() {
        let bench = SourceBench { clock, _ in clock.advance(by: .milliseconds(130)) }
        bench.run(for: .seconds(10))
        #expect(bench.steps.map { bench.seconds(of: $0) } == (0...10).map(Double.init))
        #expect(bench.useCase.status.collections == 11)
        #expect(bench.useCase.status.missedTicks == 0)
    }

    @Test(arguments: [500, 900, 1_000, 1_250, 1_499])
    func theGridLiesAtThePhaseOfTheHost(milliseconds: Int64) {
        let bench = SourceBench(phase: .milliseconds(milliseconds)) { clock, _ in clock.advance(by: .milliseconds(130))
        }
        bench.run(for: .milliseconds(3_600))
        let expected = [0] + (0...3).map { Double(milliseconds + 1_000 * $0) / 1_000 }.filter { $0 <= 3.6 }
        #expect(bench.steps.map { bench.seconds(of: $0) } == expected)
        #expect(bench.useCase.status.missedTicks == 0)
    }

    @Test func aSourceThatFailsAtFirstComesBackOnTheGridOfItsPhase() {
        let bench = SourceBench(interval: .seconds(10), phase: .seconds(13))
        bench.source.answerCollections([.fake(.transient, stage: .collect)])
        bench.run(for: .seconds(40))
        #expect(bench.steps.map { bench.seconds(of: $0) } == [0, 13, 23, 33])
    }

    @Test func aStepBeforeItsTimeDoesNothing() {
        let bench = SourceBench()
        let next = bench.useCase.step()
        bench.clock.advance(by: .milliseconds(400))
        #expect(bench.useCase.step() == next)
        #expect(bench.source.collections == 1)
    }

    @Test func aCallHasTheIntervalAsItsDeadlineAndTheTicksTime() {
        let seen = Mutex<[CallConditions]>([])
        let bench = SourceBench(interval: .seconds(5)) { _, call in seen.withLock { $0.append(call) } }
        bench.run(for: .zero)
        let call = seen.withLock { $0.first }
        #expect(call?.interval == .seconds(5))
        #expect(call.map { bench.seconds(of: $0.deadline) } == 5)
        #expect(call?.time == bench.clock.wallTime)
        #expect(bench.observer.openCalls == 0)
        #expect(bench.observer.deadlines.count == 2)
    }

    @Test func aStandstillOfThirtySecondsIsNoBurst() {
        let bench = SourceBench()
        bench.run(for: .seconds(2))
        bench.clock.advance(by: .milliseconds(30_200))
        bench.run(for: .zero)
        #expect(bench.source.collections == 4)
        #expect(bench.useCase.status.missedTicks == 29)
        #expect(bench.log.lines(.warning).count == 1)
        bench.run(for: .milliseconds(2_800))
        #expect(bench.source.collections == 7)
        #expect(bench.steps.suffix(3).map { bench.seconds(of: $0) } == [33, 34, 35])
    }

    @Test func aSourceThatAlwaysOverrunsIsToldOfOnceAndCounted() {
        let bench = SourceBench { clock, _ in clock.advance(by: .milliseconds(1_500)) }
        bench.run(for: .seconds(20))
        #expect(bench.useCase.status.overruns == bench.useCase.status.collections)
        #expect(bench.useCase.status.missedTicks + 1 >= bench.useCase.status.collections - 1)
        #expect(bench.log.lines.count { $0.error?.code == .callOverran } == 1)
        #expect(bench.log.lines.count <= 2)
        #expect(bench.steps.allSatisfy { bench.seconds(of: $0).truncatingRemainder(dividingBy: 2) == 0 })
    }

    @Test func aSourceThatIsInTimeAgainIsToldOf() {
        let isSlow = Mutex(true)
        let bench = SourceBench { clock, _ in
            if isSlow.withLock({ $0 }) { clock.advance(by: .milliseconds(1_500)) }
        }
        bench.run(for: .seconds(5))
        isSlow.withLock { $0 = false }
        bench.run(for: .seconds(5))
        #expect(bench.log.lines(.info).count == 1)
    }

    @Test func aStepOfTheWallClockMovesNoCollection() {
        let bench = SourceBench()
        bench.run(for: .seconds(2))
        bench.clock.stepWall(by: .seconds(100 * 86_400))
        bench.run(for: .seconds(2))
        bench.clock.stepWall(by: .seconds(-105 * 86_400))
        bench.run(for: .seconds(2))
        #expect(bench.steps.map { bench.seconds(of: $0) } == (0...6).map(Double.init))
        #expect(bench.log.lines.isEmpty)
    }

    @Test func aFailureBacksOffAndComesBackOnTheGrid() {
        let bench = SourceBench()
        bench.source.answerCollections([nil] + Array(repeating: .fake(.transient, stage: .collect), count: 4))
        bench.run(for: .seconds(60))
        let times = bench.steps.map { bench.seconds(of: $0) }
        #expect(times.allSatisfy { $0 == $0.rounded() }, "\(times)")
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        for (index, gap) in gaps.dropFirst().prefix(4).enumerated() {
            #expect(gap >= 1 && gap <= Double(2 << index) + 1, "\(gaps)")
        }
        #expect(gaps.dropFirst(5).allSatisfy { $0 == 1 })
        #expect(bench.useCase.status.failures == 4)
        #expect(bench.useCase.status.missedTicks == 0)
    }

    @Test func aRowOfOneFailureIsOneLineAndItsEndAnother() {
        let bench = SourceBench()
        bench.source.answerCollections(Array(repeating: .fake(.transient, stage: .collect), count: 5))
        bench.run(for: .seconds(200))
        #expect(bench.log.lines(.error).count == 1)
        #expect(bench.log.lines(.info).map(\.message) == ["recovered from FAKE-001"])
    }

    @Test func anotherFailureIsAnotherLine() {
        let bench = SourceBench()
        bench.source.answerCollections([
            .fake(.transient, code: "SND-A"), .fake(.transient, code: "SND-A"), .fake(.transient, code: "SND-B"),
        ])
        bench.run(for: .seconds(60))
        #expect(bench.log.lines(.error).compactMap { $0.error?.code.text } == ["SND-A", "SND-B"])
    }

    @Test(arguments: FailureClass.allCases)
    func aStartThatFailsIsTriedAgainAfterAWait(failureClass: FailureClass) {
        let bench = SourceBench()
        bench.source.answerStarts(Array(repeating: .fake(failureClass, stage: .start), count: 3))
        bench.run(for: .seconds(1_200))
        #expect(bench.source.calls.prefix(5) == [.start, .start, .start, .start, .collect(isFinal: false)])
        let gaps = zip(bench.steps, bench.steps.dropFirst()).map { $1.since($0) }
        #expect(
            gaps.prefix(3).allSatisfy { $0 >= .seconds(failureClass == .configuration ? 240 : 1) }, "\(gaps.prefix(3))")
        #expect(bench.log.lines(.error).count == 1)
        #expect(bench.log.lines(.info).count == 1)
    }

    @Test(arguments: FailureClass.allCases)
    func aSourceThatAlwaysFailsNeverSpins(failureClass: FailureClass) {
        let bench = SourceBench(interval: .milliseconds(100))
        bench.source.answerCollections(Array(repeating: .fake(failureClass, stage: .collect), count: 1_000))
        bench.run(for: .seconds(3_600))
        // Local failures wait half a minute at most.
        #expect(bench.steps.count < 300)
    }

    @Test func theLastCollectionIsSaidToBeTheLast() {
        let bench = SourceBench()
        bench.run(for: .seconds(1))
        bench.useCase.finish()
        #expect(bench.source.calls.last == .collect(isFinal: true))
    }

    @Test func aSourceThatReadsNothingAtTheStopHasNotRecovered() {
        let bench = SourceBench(lastOutcome: .cancelled)
        bench.source.answerCollections([.fake(.transient, stage: .collect)])
        bench.run(for: .zero)
        let before = bench.entry.current
        bench.useCase.finish()
        #expect(bench.source.calls.last == .collect(isFinal: true))
        #expect(bench.entry.current.isFailing && bench.entry.current.collection == before.collection)
        #expect(bench.log.lines(.info).isEmpty)
    }

    @Test func aSourceThatNeverStartedIsNotCollected() {
        let bench = SourceBench()
        bench.source.answerStarts([.fake(.transient)])
        bench.run(for: .zero)
        bench.useCase.finish()
        #expect(bench.source.calls == [.start])
    }

    @Test(arguments: [(20, [1_000]), (600, [1_000, 5_000])] as [(Int64, Set<Double>)])
    func aLastCollectionSoonAfterAnotherIsNotInHistory(_ last: Int64, _ maxima: Set<Double>) throws {
        let pipeline = PipelineBench()
        let clock = pipeline.clock
        let record = RecordHistory(store: InMemoryHistoryStore(units: 4), clock: clock, log: pipeline.log)
        let channel = pipeline.channel(history: record)
        let handle = channel.openSeries(
            SeriesSpecification(
                name: "system.network.io", kind: .counter, unit: "By",
                attributes: [
                    Attribute("network.interface.name", "eth0"), Attribute("network.io.direction", "receive"),
                ]))
        let read = Mutex((bytes: UInt64(0), at: clock.monotonicTime))
        let source = FakeSourceInstance { call in
            let bytes = read.withLock { read in
                let milliseconds = clock.monotonicTime.since(read.at).value / 1_000_000
                read = (read.bytes + UInt64(milliseconds * (call.isFinal ? 5 : 1)), clock.monotonicTime)
                return read.bytes
            }
            _ = channel.commit([Sample(series: handle, value: .unsigned(bytes))], checkpoint: nil, rejections: [])
        }
        let useCase = CollectSource(
            configuration: SourceConfiguration(id: "kernel", plugin: "fake", interval: .seconds(1)), instance: source,
            channel: channel, log: pipeline.log, observer: RecordingObserver(), cancelDescriptor: -1,
            random: SeededGenerator(seed: 1))
        for pause: Int64 in [0, 1, 1, 6] {
            clock.advance(by: .seconds(pause))
            _ = useCase.step()
        }
        clock.advance(by: .milliseconds(last))
        useCase.finish()
        let query = HistoryQuery(range: HistoryRange(.seconds(60), before: clock.wallTime), asked: clock.wallTime)
        let points = try #require(HistoryOf(record)(query, limit: 9).lines.first).points.map(\.value)
        #expect(Set(points.map(\.maximum)) == maxima)
    }
}
