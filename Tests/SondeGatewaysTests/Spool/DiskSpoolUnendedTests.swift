import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// Series that were live when the agent was killed.
@Suite struct DiskSpoolUnendedTests {
    private static func series(_ number: Int, of source: String = "kernel", size: Int = 1) -> Series {
        Series(
            id: SeriesID(rawValue: UInt64(number) + (source == "kernel" ? 1_000 : 2_000)), source: source,
            name: "test.gauge", kind: .gauge, unit: "1",
            attributes: [Attribute("key", "\(number)"), Attribute("text", String(repeating: "x", count: size))])
    }

    private static func append(_ series: [Series], _ value: SampleValue = .unsigned(1), to spool: DiskSpool) {
        let points = series.map { SpooledPoint(series: $0, time: Timestamp(seconds: 1), start: nil, value: value) }
        _ = spool.append(points, documents: [], at: SpoolFixture.instant)
    }

    private static func keys(_ series: [Series]) -> [String] { series.map { $0.attribute("key") ?? "" }.sorted() }

    @Test func theNextStartKnowsWhatHadNotEndedBySource() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        #expect(spool.takeUnended(of: nil).isEmpty)
        Self.append((1...4).map { Self.series($0) }, to: spool)
        Self.append([Self.series(9, of: "wire")], to: spool)
        Self.append([Self.series(2), Self.series(3)], .ended, to: spool)
        Self.append([Self.series(3)], to: spool)
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(Self.keys(again.takeUnended(of: "kernel")) == ["1", "3", "4"])
        #expect(again.takeUnended(of: "kernel").isEmpty)
        #expect(Self.keys(again.takeUnended(of: nil)) == ["9"])
    }

    @Test func itKnowsAfterManySegmentsThatDoNotNameThemAndAfterASecondKill() throws {
        let fixture = SpoolFixture(segmentBytes: 8 << 10)
        let spool = try fixture.openWithReader()
        Self.append((1...3).map { Self.series($0) }, to: spool)
        for _ in 0..<2_000 {
            Self.append([Self.series(4)], to: spool)
            _ = spool.drain("a")
        }
        #expect(fixture.segments.count < 10)
        for _ in 0..<2 {
            fixture.disk.killProcess()
            let again = try fixture.openWithReader()
            #expect(Self.keys(again.takeUnended(of: "kernel")) == ["1", "2", "3", "4"])
            #expect(again.drain("a").isEmpty)
        }
    }

    @Test func manyEndsInOneCommitAreRead() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        let series = (1...200).map { Self.series($0) }
        Self.append(series, to: spool)
        Self.append(series, .ended, to: spool)
        #expect(spool.drain("a", maxCount: 200).count == 200)
        fixture.disk.killProcess()
        #expect(try fixture.openWithReader().takeUnended(of: nil).isEmpty)
    }

    @Test func whatHasEndedDoesNotEndAgain() throws {
        let fixture = SpoolFixture()
        Self.append([Self.series(1), Self.series(2)], to: try fixture.openWithReader())
        fixture.disk.killProcess()
        let second = try fixture.openWithReader()
        let gone = second.takeUnended(of: "kernel").filter { $0.attribute("key") == "1" }
        Self.append(gone, .ended, to: second)
        fixture.disk.killProcess()
        #expect(Self.keys(try fixture.openWithReader().takeUnended(of: nil)) == ["2"])
    }

    @Test func whatIsCarriedOnIsBoundedByAQuarterOfASegment() throws {
        let fixture = SpoolFixture(segmentBytes: 64 << 10)
        let spool = try fixture.openWithReader()
        for number in 0..<200 { Self.append([Self.series(number, size: 400)], to: spool) }
        fixture.disk.killProcess()
        let known = try fixture.openWithReader().takeUnended(of: nil).count
        #expect(known > 20 && known < 200)
        for path in fixture.segments { #expect((fixture.disk.contents(of: path)?.count ?? 0) < 80 << 10) }
    }

    @Test func theSeriesOfAnotherMachineAreNotOurs() throws {
        var fixture = SpoolFixture()
        fixture.settings.machine = "one"
        Self.append([Self.series(1)], to: try fixture.openWithReader())
        fixture.disk.killProcess()
        fixture.settings.machine = "two"
        #expect(try fixture.openWithReader(epoch: 2).takeUnended(of: nil).isEmpty)
    }

    /// What one run of the agent has: a pipeline into the log.
    private struct Run {
        let spool: DiskSpool
        let pipeline: Pipeline
        let ledger = LossLedger(log: RecordingLog())
        let clock: ManualClock

        init(_ fixture: SpoolFixture) throws {
            spool = try fixture.openWithReader()
            clock = fixture.clock
            pipeline = Pipeline(
                spool: spool, ledger: ledger, clock: clock, lossSeries: LossSeries(start: clock.wallTime))
        }

        func channel(_ id: String, interval: Nanoseconds = .seconds(1)) -> SourceChannel {
            SourceChannel(
                id: id, descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""),
                labels: [], host: nil, pipeline: pipeline, ledger: ledger,
                log: RecordingLog(), clock: clock, interval: interval)
        }

        func read(_ names: [String], on channel: SourceChannel) {
            let samples = names.map { name in
                Sample(
                    series: channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "1")),
                    value: .unsigned(1))
            }
            #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        }

        /// What came since the last look: names, with a mark on those that have ended.
        func news() -> [String] {
            var news: [String] = []
            while let stretch = spool.cut(for: "a", maxCount: 100, maxBytes: .max) {
                news += spool.read(stretch, for: "a").points.map { ($0.value.isEnd ? "end of " : "") + $0.series.name }
                spool.acknowledge(stretch, for: "a")
            }
            return news
        }
    }

    @Test func seriesThatDoNotComeBackAfterAKillEndSixIntervalsAfterTheFirstCollection() throws {
        let fixture = SpoolFixture()
        let first = try Run(fixture)
        first.read(["disk", "socket", "walk"], on: first.channel("kernel"))
        first.read(["log"], on: first.channel("gone"))
        fixture.disk.killProcess()

        let second = try Run(fixture)
        #expect(second.news() == ["disk", "socket", "walk", "log"])
        let channel = second.channel("kernel")
        second.pipeline.endUnclaimedSeries()
        #expect(second.news() == ["end of log"])
        // An hour may pass until the source can be read at all.
        fixture.clock.advance(by: .seconds(3_600))
        second.read(["disk"], on: channel)
        fixture.clock.advance(by: .seconds(5))
        second.read(["disk", "walk"], on: channel)
        #expect(second.news() == ["disk", "disk", "walk"])
        fixture.clock.advance(by: .seconds(1))
        second.read(["disk"], on: channel)
        #expect(second.news() == ["disk", "end of socket"])
        second.read(["disk"], on: channel)
        #expect(second.news() == ["disk"])
    }

    @Test func theLedgersSeriesEndAtTheStartAndNotOnceTheyHaveBegunAgain() throws {
        let fixture = SpoolFixture()
        let loss = Loss(reason: "other", component: "a", count: 1)
        let names = ["sonde.loss.report.count", "sonde.loss.count"]
        let first = try Run(fixture)
        first.ledger.record(loss)
        first.read(["up"], on: first.channel(AgentCatalog.source))
        fixture.disk.killProcess()

        let second = try Run(fixture)
        #expect(second.news() == ["up"] + names)
        let channel = second.channel(AgentCatalog.source)
        second.ledger.record(loss)
        second.pipeline.endUnclaimedSeries()
        #expect(second.news() == names.map { "end of \($0)" } + names)
        second.read([], on: channel)
        fixture.clock.advance(by: .seconds(60))
        second.read([], on: channel)
        #expect(second.news() == ["end of up"])
    }
}
