import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// The newest gauges of the agent go in batches of their own, past what waits.
@Suite struct DeliverBatchesHealthTests {
    private static let up = Series(
        id: SeriesID(rawValue: 1_000), source: "agent", name: "sonde.sink.up", kind: .gauge, unit: "")
    private static let sent = Series(
        id: SeriesID(rawValue: 1_001), source: "agent", name: "sonde.sink.point.sent", kind: .counter, unit: "{point}")

    private final class Receiver: Sendable {
        let batches = Mutex<[Batch]>([])
        let finals = Mutex<[Bool]>([])
        let isDown = Mutex(true)
        let newest = Mutex<[SpooledPoint]>([])
        let host = Mutex("h")

        func values(of series: Series) -> [SampleValue] {
            batches.withLock { $0 }.flatMap { batch in
                batch.entries.filter { batch.series[$0.seriesIndex].name == series.name }.map(\.point.value)
            }
        }
    }

    /// A sink whose receiver was away for ten minutes, in which the agent reported twice a minute.
    private func outage(_ receiver: Receiver, samples: Int = 20, ends: Bool = false) -> SinkBench {
        let bench = SinkBench(.fake(samples: samples), wantsEnds: ends) { batch, _, call throws(SondeError) in
            if receiver.isDown.withLock({ $0 }) { throw .fake(.transient) }
            receiver.batches.withLock { $0.append(batch) }
            receiver.finals.withLock { $0.append(call.isFinal) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.useCase.sendHealth {
            let points = SpooledPoints(receiver.newest.withLock { $0 })
            return (SpoolContents(resource: Resource(host: "h"), last: 0, points: points), .seconds(10))
        }
        for number in 1...20 { report(UInt64(number), bench, receiver) }
        return bench
    }

    private func report(_ number: UInt64, _ bench: SinkBench, _ receiver: Receiver, series: [Series] = [up]) {
        let time = bench.clock.wallTime
        receiver.newest.withLock {
            $0 = series.map { SpooledPoint(series: $0, time: time, start: nil, value: .unsigned(number)) }
        }
        let count = SpooledPoint(series: Self.sent, time: time, start: time, value: .unsigned(number))
        _ = bench.pipeline.submit([count] + (0..<20).map { .numbered($0) }, documents: [])
        bench.run(for: .seconds(30))
    }

    private func health(_ receiver: Receiver) -> [Batch] {
        receiver.batches.withLock { $0.filter { $0.identity.epoch == "epoch-now" } }
    }

    @Test func afterAnOutageTheCentreKnowsAtOnceHowTheAgentIs() throws {
        let receiver = Receiver()
        let bench = outage(receiver)
        receiver.isDown.withLock { $0 = false }
        while receiver.batches.withLock({ $0.count }) < 2 { bench.run(for: .seconds(1)) }
        // The first batch shows that the receiver is back, the second one says how the agent is.
        let second = try #require(receiver.batches.withLock { $0.dropFirst().first })
        #expect(second.identity.epoch == "epoch-now" && second.series.map(\.name) == ["sonde.sink.up"])
        #expect(second.entries.map(\.point.value) == [.unsigned(20)])
        #expect(bench.useCase.waiting > 300)
        while bench.useCase.waiting > 0 { bench.run(for: .seconds(1)) }
        #expect(receiver.values(of: Self.up) == [.unsigned(20)])
        #expect(receiver.values(of: Self.sent) == (1...20).map { .unsigned($0) })
        #expect(bench.ledger.total == 0)
    }

    @Test func whileABacklogIsDrainedEachNewValueGoesOnce() {
        let receiver = Receiver()
        let bench = outage(receiver, samples: 5)
        receiver.isDown.withLock { $0 = false }
        while receiver.batches.withLock({ $0.count }) < 3 { bench.run(for: .seconds(1)) }
        for number in 21...24 { report(UInt64(number), bench, receiver) }
        #expect(bench.useCase.waiting > 0)
        #expect(
            health(receiver).compactMap { $0.entries.first?.point.value }
                == [.unsigned(20), .unsigned(21), .unsigned(22), .unsigned(23), .unsigned(24)])
        #expect(Set(health(receiver).map(\.identity)).count == 5)
    }

    @Test func aSinkThatIsNotBehindHasOneRequestMoreInHalfAMinute() {
        let receiver = Receiver()
        receiver.isDown.withLock { $0 = false }
        let bench = outage(receiver)
        // One for each report.
        #expect(health(receiver).count == 20)
        for number in 21...32 {
            let time = bench.clock.wallTime
            receiver.newest.withLock {
                $0 = [SpooledPoint(series: Self.up, time: time, start: nil, value: .unsigned(UInt64(number)))]
            }
            bench.commit(1)
            bench.run(for: .seconds(10))
        }
        #expect(health(receiver).count == 24)
    }

    @Test func atTheStopTheLastValueGoesBeforeTheLastBatch() throws {
        let receiver = Receiver()
        receiver.isDown.withLock { $0 = false }
        let bench = outage(receiver)
        let time = bench.clock.wallTime
        receiver.newest.withLock {
            $0 = [SpooledPoint(series: Self.up, time: time, start: nil, value: .unsigned(99))]
        }
        bench.commit(1)
        let before = receiver.batches.withLock { $0.count }
        bench.run(for: .seconds(1), draining: true)
        let last = receiver.batches.withLock { Array($0.dropFirst(before)) }
        #expect(last.map(\.identity.epoch) == ["epoch-now", "epoch"])
        #expect(last.first?.entries.map(\.point.value) == [.unsigned(99)])
        #expect(receiver.finals.withLock { $0.suffix(2) } == [false, true])
    }

    @Test func endsUnderFormerLabelsThatAreRefusedGoAgainAtThePace() {
        let receiver = Receiver()
        let refusals = Mutex(0)
        let bench = bench(receiver) { batch in
            guard batch.identity.epoch.hasSuffix("-now"), batch.entries.contains(where: { $0.point.value.isEnd })
            else { return nil }
            refusals.withLock { $0 += 1 }
            return .fake(.transient)
        }
        report(1, bench, receiver)
        receiver.host.withLock { $0 = "other" }
        report(2, bench, receiver)
        for number in 3...12 {
            _ = bench.pipeline.submit((0..<20).map { .numbered($0 + UInt64(number) * 100) }, documents: [])
            bench.run(for: .seconds(2))
        }
        #expect(refusals.withLock { $0 } <= 2)
    }

    @Test func aSeriesThatIsNoLongerReportedEndsOnce() {
        let receiver = Receiver()
        receiver.isDown.withLock { $0 = false }
        let bench = outage(receiver, ends: true)
        let other = Series(
            id: SeriesID(rawValue: 1_002), source: "agent", name: "sonde.sink.up", kind: .gauge, unit: "",
            attributes: [Attribute("sonde.component", "b")])
        report(21, bench, receiver, series: [Self.up, other])
        for number in 22...24 { report(UInt64(number), bench, receiver) }
        let values = health(receiver).flatMap { batch in
            batch.entries.filter { batch.series[$0.seriesIndex].attributes == other.attributes }.map(\.point.value)
        }
        #expect(values == [.unsigned(21), .ended])
    }

    @Test(arguments: [nil, SondeError.fake(.transient)])
    func whatWasCancelledOrNotAcceptedGoesWithTheNextOne(_ refusal: SondeError?) {
        let receiver = Receiver()
        let refuses = Mutex(true)
        let bench = SinkBench(.fake(samples: 20)) { batch, _, _ throws(SondeError) in
            if batch.identity.epoch == "epoch-now", refuses.withLock({ $0 }) {
                if let refusal { throw refusal }
                return .cancelled
            }
            receiver.batches.withLock { $0.append(batch) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.useCase.sendHealth {
            let points = SpooledPoints(receiver.newest.withLock { $0 })
            return (SpoolContents(resource: Resource(host: "h"), last: 0, points: points), .seconds(10))
        }
        report(1, bench, receiver)
        #expect(bench.useCase.failure == nil && health(receiver).isEmpty && bench.useCase.waiting == 0)
        refuses.withLock { $0 = false }
        report(2, bench, receiver)
        #expect(receiver.values(of: Self.up) == [.unsigned(2)])
    }

    private func bench(
        _ receiver: Receiver, maxSeries: Int? = nil, samples: Int = 20, sent: SentHealth = SentHealth(),
        _ judge: @escaping @Sendable (Batch) -> SondeError? = { _ in nil }
    ) -> SinkBench {
        var configuration = SinkConfiguration.fake(samples: samples)
        configuration.maxSeries = maxSeries
        let bench = SinkBench(configuration, wantsEnds: true) { batch, _, _ throws(SondeError) in
            if let error = judge(batch) { throw error }
            receiver.batches.withLock { $0.append(batch) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.useCase.sendHealth(sent: sent) {
            let points = SpooledPoints(receiver.newest.withLock { $0 })
            let resource = Resource(host: receiver.host.withLock { $0 })
            return (SpoolContents(resource: resource, last: 0, points: points), .seconds(10))
        }
        return bench
    }

    private static func other(_ number: Int, name: String = "sonde.source.up") -> Series {
        Series(
            id: SeriesID(rawValue: 2_000 + UInt64(number)), source: "agent", name: name,
            kind: name == "sonde.source.state" ? .info : .gauge, unit: "",
            attributes: [Attribute("sonde.component", "c\(number)")])
    }

    @Test func aClockThatWasSetBackIsFollowed() {
        let receiver = Receiver()
        let bench = bench(receiver)
        report(1, bench, receiver)
        bench.clock.stepWall(by: .seconds(-3_600))
        report(2, bench, receiver)
        #expect(receiver.values(of: Self.up) == [.unsigned(1), .unsigned(2)])
    }

    @Test func underOtherLabelsAllSeriesAreOthersAndThoseBeforeEnd() {
        let receiver = Receiver()
        let bench = bench(receiver)
        report(1, bench, receiver)
        receiver.host.withLock { $0 = "other" }
        report(2, bench, receiver)
        #expect(health(receiver).map(\.resource.host) == ["h", "h", "other"])
        #expect(receiver.values(of: Self.up) == [.unsigned(1), .ended, .unsigned(2)])
    }

    @Test func anInstanceThatReplacesAnotherEndsWhatThatOneHadSent() {
        let receiver = Receiver()
        let sent = SentHealth()
        report(1, bench(receiver, sent: sent), receiver, series: [Self.up, Self.other(1)])
        report(2, bench(receiver, sent: sent), receiver, series: [Self.up, Self.other(2)])
        #expect(receiver.values(of: Self.other(1)) == [.unsigned(1), .unsigned(2), .ended])
    }

    @Test func atTheStopWhatInstancesDoEnds() {
        let receiver = Receiver()
        let bench = bench(receiver)
        let state = Self.other(1, name: "sonde.source.state")
        report(1, bench, receiver, series: [Self.up, state])
        let time = bench.clock.wallTime
        receiver.newest.withLock {
            $0 = [Self.up, state].map { SpooledPoint(series: $0, time: time, start: nil, value: .unsigned(1)) }
        }
        bench.useCase.sendLastHealth()
        #expect(receiver.values(of: state) == [.unsigned(1), .ended])
        #expect(receiver.values(of: Self.up) == [.unsigned(1), .unsigned(1)])
    }

    @Test func aReceiverThatTakesLittleAtOnceGetsSmallerOnes() {
        let receiver = Receiver()
        let bench = bench(receiver, samples: 40) { $0.entries.count > 6 ? .fake(.tooLarge) : nil }
        let series = [Self.up] + (0..<19).map { Self.other($0) }
        for number in 1...12 {
            let time = bench.clock.wallTime
            receiver.newest.withLock {
                $0 = series.map { SpooledPoint(series: $0, time: time, start: nil, value: .unsigned(UInt64(number))) }
            }
            bench.commit(1)
            bench.run(for: .seconds(10))
        }
        #expect(health(receiver).count >= 4 && health(receiver).allSatisfy { $0.entries.count <= 6 })
        #expect(Set(health(receiver).flatMap { $0.series.map(\.id) }) == Set(series.map(\.id)))
        #expect(bench.useCase.failure == nil && bench.useCase.waiting == 0)
    }

    @Test func boundsOfTheSinkHoldForItToo() {
        let receiver = Receiver()
        let bench = bench(receiver, maxSeries: 25)
        report(1, bench, receiver, series: [Self.up] + (0..<30).map { Self.other($0) })
        let delivered = receiver.batches.withLock { $0 }.flatMap { batch in
            batch.entries.map { batch.series[$0.seriesIndex].id }
        }
        #expect(Set(delivered).count == 25)
        #expect(bench.ledger.all.map(\.reason) == ["sink_series_limit"])
    }

    @Test func aReportOfWhichNothingIsWithinTheBoundsIsNotSent() {
        let receiver = Receiver()
        let bench = bench(receiver, maxSeries: 1)
        report(1, bench, receiver)
        #expect(health(receiver).isEmpty && !receiver.batches.withLock { $0.isEmpty })
        #expect(bench.useCase.failure == nil && bench.useCase.waiting == 0)
        #expect(Set(bench.ledger.all.map(\.reason)) == ["sink_series_limit"])
    }

    @Test func aRefusalIsLoggedOnce() {
        let receiver = Receiver()
        let bench = bench(receiver) { $0.identity.epoch == "epoch-now" ? .fake(.permanentData) : nil }
        for number in 1...4 { report(UInt64(number), bench, receiver) }
        #expect(bench.log.lines.count { $0.message.contains("what the agent says of itself was not taken") } == 1)
        #expect(bench.useCase.failure == nil && bench.useCase.waiting == 0)
    }
}
