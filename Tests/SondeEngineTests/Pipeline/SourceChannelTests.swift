import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct SourceChannelTests {
    private let bench = PipelineBench()

    private func gauge(_ name: String = "test.gauge", _ attributes: [Attribute] = []) -> SeriesSpecification {
        SeriesSpecification(name: name, kind: .gauge, unit: "1", attributes: attributes)
    }

    @Test func aCommitReachesTheSinks() {
        let channel = bench.channel()
        let handle = channel.openSeries(gauge())
        #expect(
            channel.commit([Sample(series: handle, value: .unsigned(7))], checkpoint: nil, rejections: []) == .taken)
        #expect(bench.points().map(\.value) == [.unsigned(7)])
        #expect(bench.points().first?.series.source == "kernel")
    }

    @Test func whatASourceHasLostIsInTheLedger() {
        bench.channel().reportLoss(Loss(reason: "kernel_drop", component: "kernel", count: 7))
        #expect(bench.ledger.count(component: "kernel", reason: "kernel_drop") == 7)
    }

    @Test func theSameSeriesHasTheSameHandle() {
        let channel = bench.channel()
        let attributes = [Attribute("b", "1"), Attribute("a", "2")]
        let first = channel.openSeries(gauge("x", attributes))
        #expect(channel.openSeries(gauge("x", attributes.reversed())) == first)
        #expect(channel.openSeries(gauge("x")) != first)
    }

    @Test func handlesAreNeverReusedAndNeverZero() {
        let channel = bench.channel()
        var handles: Set<UInt64> = [0]
        for _ in 0..<2_000 {
            let handle = channel.openSeries(gauge())
            #expect(handles.insert(handle).inserted)
            channel.closeSeries(handle)
        }
    }

    @Test func aSeriesThatComesBackGoesOnUnderItsNumber() {
        let channel = bench.channel()
        let (one, other) = (gauge("test.gauge", [Attribute("key", "a")]), gauge("test.gauge", [Attribute("key", "b")]))
        for specification in [one, other, one] {
            let handle = channel.openSeries(specification)
            _ = channel.commit([Sample(series: handle, value: .unsigned(1))], checkpoint: nil, rejections: [])
            channel.closeSeries(handle)
        }
        let series = bench.points().map(\.series)
        #expect(series[0].id == series[2].id)
        #expect(series[0].attributes == series[2].attributes)
        #expect(series[0].id != series[1].id)
    }

    @Test func whatTheChannelBeforeHadOpenGoesOnUnderItsNumberAndEndsUnlessItComesBackWithinAMinute() {
        let channels = [bench.channel(), bench.channel()]
        let gauges = ["a", "b"].map { gauge("test.gauge", [Attribute("key", $0)]) }
        func tell(_ gauge: Int, on channel: Int) {
            let sample = Sample(series: channels[channel].openSeries(gauges[gauge]), value: .unsigned(1))
            _ = channels[channel].commit([sample], checkpoint: nil, rejections: [])
        }
        tell(0, on: 0)
        tell(1, on: 0)
        channels[1].inherit(from: channels[0])
        tell(0, on: 1)
        bench.clock.advance(by: .seconds(59))
        tell(0, on: 1)
        bench.clock.advance(by: .seconds(1))
        tell(0, on: 1)
        tell(1, on: 1)
        let points = bench.points()
        let (one, other) = (points[0].series.id, points[1].series.id)
        #expect(points[2...].map(\.series.id) == [one, one, one, other, other])
        #expect(points.map(\.value.isEnd) == [false, false, false, false, false, true, false])
    }

    @Test func whatHadEndedInTheChannelBeforeAndWasNotToldYetIsTold() {
        let channels = [bench.channel(), bench.channel()]
        let handle = channels[0].openSeries(gauge())
        _ = channels[0].commit([Sample(series: handle, value: .unsigned(1))], checkpoint: nil, rejections: [])
        channels[0].closeSeries(handle)
        channels[1].inherit(from: channels[0])
        channels[1].endAllSeries()
        #expect(bench.points().map(\.value) == [.unsigned(1), .ended])
    }

    @Test func twoSeriesThatAreOpenAtOnceHaveNumbersOfTheirOwn() {
        let channel = bench.channel()
        channel.closeSeries(channel.openSeries(gauge("test.gauge", [Attribute("key", "a")])))
        let handles = ["a", "b"].map { channel.openSeries(gauge("test.gauge", [Attribute("key", $0)])) }
        _ = channel.commit(
            handles.map { Sample(series: $0, value: .unsigned(1)) }, checkpoint: nil, rejections: [])
        #expect(Set(bench.points().map(\.series.id)).count == 2)
    }

    @Test func aDeadHandleTakesNoSample() {
        let channel = bench.channel()
        let dead = channel.openSeries(gauge())
        channel.closeSeries(dead)
        let live = channel.openSeries(gauge())
        let samples = [dead, 0, .max, live].map { Sample(series: $0, value: .unsigned(1)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        #expect(bench.points().count == 1)
        #expect(channel.rejections.rows.map(\.key.reason) == ["no_series"])
        #expect(channel.rejections.rows.map(\.count) == [3])
    }

    @Test(arguments: [([.wire], true), ([.kernel, .log], false), ([], false)] as [(Set<PluginDescriptor.View>, Bool)])
    func aNameOfTheWireMeansNothingUnlessTheDescriptionSaysThatTheSourceSeesIt(
        sees: Set<PluginDescriptor.View>, isWire: Bool
    ) {
        let book = SnapshotBook()
        let channel = bench.channel(sees: sees, book: book)
        let handle = channel.openSeries(
            SeriesSpecification(name: "sonde.dns.wire.query.count", kind: .counter, unit: "{query}"))
        for count in [UInt64(1), 2] {
            _ = channel.commit([Sample(series: handle, value: .unsigned(count))], checkpoint: nil, rejections: [])
            bench.clock.advance(by: .seconds(1))
        }
        var snapshot = Snapshot(time: bench.clock.wallTime, host: nil, window: SnapshotBook.window)
        book.fill(&snapshot, at: bench.clock.monotonicTime)
        #expect((snapshot.dns?.wire != nil) == isWire)
    }

    @Test func aClosedSeriesEndsWithTheNextCommit() {
        let channel = bench.channel()
        let gone = channel.openSeries(gauge("test.gauge", [Attribute("key", "a")]))
        let kept = channel.openSeries(gauge("test.gauge", [Attribute("key", "b")]))
        let unused = channel.openSeries(gauge("test.gauge", [Attribute("key", "c")]))
        _ = channel.commit(
            [gone, kept].map { Sample(series: $0, value: .unsigned(1)) }, checkpoint: nil, rejections: [])
        channel.closeSeries(gone)
        channel.closeSeries(unused)
        for _ in 0..<2 {
            _ = channel.commit([Sample(series: kept, value: .unsigned(2))], checkpoint: nil, rejections: [])
        }
        let keys = bench.points().map { "\($0.series.attribute("key") ?? "")\($0.value.isEnd ? " ended" : "")" }
        #expect(keys == ["a", "b", "b", "a ended", "b"])
    }

    @Test func aSeriesThatIsOpenAgainBeforeTheCommitHasNotEnded() {
        let channel = bench.channel()
        let first = channel.openSeries(gauge())
        _ = channel.commit([Sample(series: first, value: .unsigned(1))], checkpoint: nil, rejections: [])
        channel.closeSeries(first)
        let again = channel.openSeries(gauge())
        _ = channel.commit([Sample(series: again, value: .unsigned(2))], checkpoint: nil, rejections: [])
        #expect(bench.points().map(\.value) == [.unsigned(1), .unsigned(2)])
    }

    @Test func aSeriesThatIsOpenAgainAndClosedBeforeItIsReadHasEndedOnce() {
        let channel = bench.channel()
        let first = channel.openSeries(gauge())
        _ = channel.commit([Sample(series: first, value: .unsigned(1))], checkpoint: nil, rejections: [])
        channel.closeSeries(first)
        channel.closeSeries(channel.openSeries(gauge()))
        for _ in 0..<2 { _ = channel.commit([], checkpoint: nil, rejections: []) }
        channel.closeSeries(channel.openSeries(gauge()))
        _ = channel.commit([], checkpoint: nil, rejections: [])
        #expect(bench.points().map(\.value) == [.unsigned(1), .ended])
    }

    @Test func aSeriesOfTheChannelBeforeThatIsClosedBeforeItIsReadHasEnded() {
        let channels = (0..<3).map { _ in bench.channel() }
        let handle = channels[0].openSeries(gauge())
        _ = channels[0].commit([Sample(series: handle, value: .unsigned(1))], checkpoint: nil, rejections: [])
        channels[1].inherit(from: channels[0])
        #expect(channels[1].openSeries(gauge()) != 0)
        channels[2].inherit(from: channels[1])
        channels[2].closeSeries(channels[2].openSeries(gauge()))
        _ = channels[2].commit([], checkpoint: nil, rejections: [])
        #expect(bench.points().map(\.value) == [.unsigned(1), .ended])
    }

    @Test func aSeriesOfTheChannelBeforeThatIsBeyondTheBoundEnds() {
        let channels = [bench.channel(), bench.channel(seriesLimit: 1)]
        let handle = channels[0].openSeries(gauge())
        _ = channels[0].commit([Sample(series: handle, value: .unsigned(1))], checkpoint: nil, rejections: [])
        channels[1].inherit(from: channels[0])
        #expect(channels[1].openSeries(gauge("other")) != 0)
        #expect(channels[1].openSeries(gauge()) == 0)
        channels[1].endAllSeries()
        #expect(bench.points().map(\.value) == [.unsigned(1), .ended])
    }

    @Test func theEndOfASeriesWaitsForRoom() {
        let bench = PipelineBench(maxBytes: 2_000, overflow: .dropNewest)
        let channel = bench.channel()
        let gone = channel.openSeries(gauge())
        _ = channel.commit([Sample(series: gone, value: .unsigned(1))], checkpoint: nil, rejections: [])
        let other = channel.openSeries(gauge("other"))
        while bench.spool.backlog(of: "sink").count < 1_000 {
            let before = bench.spool.backlog(of: "sink").count
            _ = channel.commit([Sample(series: other, value: .unsigned(2))], checkpoint: nil, rejections: [])
            if bench.spool.backlog(of: "sink").count == before { break }
        }
        channel.closeSeries(gone)
        _ = channel.commit([], checkpoint: nil, rejections: [])
        #expect(bench.points().allSatisfy { !$0.value.isEnd })
        let stretch = bench.spool.cut(for: "sink", maxCount: .max, maxBytes: .max)
        stretch.map { bench.spool.acknowledge($0, for: "sink") }
        _ = channel.commit([Sample(series: other, value: .unsigned(3))], checkpoint: nil, rejections: [])
        #expect(bench.points().map(\.value) == [.unsigned(3), .ended])
    }

    @Test func aSeriesThatTheLogNeverTookHasNoEnd() {
        let bench = PipelineBench(maxBytes: 2_000, overflow: .dropNewest)
        let channel = bench.channel()
        let full = channel.openSeries(gauge())
        while bench.ledger.count(component: "kernel", reason: "spool_full") == 0 {
            _ = channel.commit([Sample(series: full, value: .unsigned(1))], checkpoint: nil, rejections: [])
        }
        let brief = channel.openSeries(gauge("brief"))
        _ = channel.commit([Sample(series: brief, value: .unsigned(2))], checkpoint: nil, rejections: [])
        channel.closeSeries(brief)
        let stretch = bench.spool.cut(for: "sink", maxCount: .max, maxBytes: .max)
        stretch.map { bench.spool.acknowledge($0, for: "sink") }
        _ = channel.commit([Sample(series: full, value: .unsigned(3))], checkpoint: nil, rejections: [])
        #expect(bench.points().map(\.value) == [.unsigned(3)])
    }

    @Test func aSourceThatLeavesForGoodEndsAllItsSeries() {
        let channel = bench.channel()
        let handles = ["a", "b"].map { channel.openSeries(gauge("test.gauge", [Attribute("key", $0)])) }
        _ = channel.commit(handles.map { Sample(series: $0, value: .unsigned(1)) }, checkpoint: nil, rejections: [])
        channel.endAllSeries()
        #expect(bench.points().filter(\.value.isEnd).count == 2)
    }

    @Test func aNameThatIsOpenWithAnotherKindOrUnitIsRefusedWithTheReason() {
        let channel = bench.channel()
        #expect(channel.openSeries(gauge()) != 0)
        #expect(channel.openSeries(SeriesSpecification(name: "test.gauge", kind: .counter, unit: "1")) == 0)
        #expect(channel.openSeries(SeriesSpecification(name: "test.gauge", kind: .gauge, unit: "By")) == 0)
        #expect(channel.rejections.rows.map(\.key.reason) == ["other_kind", "other_unit"])
        #expect(bench.log.lines(.warning).allSatisfy { $0.message.contains("'test.gauge'") })
    }

    @Test func aSampleOfAnImpossibleTimeIsRejected() {
        let channel = bench.channel()
        let handle = channel.openSeries(gauge())
        let times = [
            Timestamp(nanoseconds: -1), bench.clock.wallTime.advanced(by: .seconds(86_401)), .init(seconds: 1),
        ]
        let samples = times.map { Sample(series: handle, time: $0, value: .unsigned(1)) }
        _ = channel.commit(samples, checkpoint: nil, rejections: [])
        #expect(bench.points().count == 1)
        #expect(channel.rejections.rows.map(\.count) == [2])
        #expect(channel.rejections.rows.map(\.key.reason) == ["impossible_time"])
    }

    @Test func rejectionsAreBoundedAndNoneGoesUncounted() {
        let channel = bench.channel()
        for number in 0..<200 {
            _ = channel.openSeries(gauge("m\(number)"))
            _ = channel.openSeries(SeriesSpecification(name: "m\(number)", kind: .counter, unit: "1"))
        }
        let rows = channel.rejections.rows
        #expect(rows.count == RejectionCounts.bound + 1)
        #expect(rows.reduce(0) { $0 + $1.count } == 200)
    }

    @Test func openSeriesAreBounded() {
        let channel = bench.channel()
        for number in 0..<SourceChannel.seriesBound {
            #expect(channel.openSeries(gauge("m", [Attribute("n", "\(number)")])) != 0)
        }
        #expect(channel.openSeries(gauge("m", [Attribute("n", "one more")])) == 0)
        #expect(bench.log.lines(.warning).count == 1)
    }

    @Test(arguments: [
        SeriesSpecification(name: "", kind: .gauge, unit: "1"),
        SeriesSpecification(name: String(repeating: "x", count: 256), kind: .gauge, unit: "1"),
        SeriesSpecification(
            name: "x", kind: .gauge, unit: "1", attributes: [Attribute("a", "1"), Attribute("a", "2")]),
        SeriesSpecification(name: "x", kind: .gauge, unit: "1", attributes: [Attribute("", "1")]),
        SeriesSpecification(
            name: "x", kind: .gauge, unit: "1", attributes: (0..<17).map { Attribute("a\($0)", "") }),
    ])
    func aMalformedSeriesIsRefused(specification: SeriesSpecification) {
        #expect(bench.channel().openSeries(specification) == 0)
    }

    @Test func aMetricThatTheCatalogDoesNotNameIsNotedOnce() {
        let channel = bench.channel(catalog: ["known"])
        for number in 0..<5 { _ = channel.openSeries(gauge("unknown", [Attribute("n", "\(number)")])) }
        _ = channel.openSeries(gauge("known"))
        #expect(bench.log.lines(.info).map(\.message).filter { $0.contains("unknown") }.count == 1)
        #expect(bench.log.lines.allSatisfy { !$0.message.contains("'known'") })
    }

    @Test func malformedSamplesAreCountedAndToldOnce() {
        let channel = bench.channel()
        let handle = channel.openSeries(gauge())
        for _ in 0..<3 {
            let samples = [Sample(series: handle, value: .double(.nan)), Sample(series: handle, value: .unsigned(1))]
            let unread = [
                SampleRejection(series: handle, reason: .malformedHistogram), .init(series: 0, reason: .notFinite),
            ]
            #expect(channel.commit(samples, checkpoint: nil, rejections: unread) == .taken)
        }
        #expect(
            channel.rejections.rows.map { "\($0.key.metric) \($0.key.reason) \($0.count)" } == [
                " not_finite 3", "test.gauge malformed_histogram 3", "test.gauge wrong_type 3",
            ])
        #expect(bench.points().count == 3)
        #expect(bench.log.lines(.warning).count == 3)
    }

    @Test func aSampleWithoutATimeGetsTheTicks() {
        let channel = bench.channel()
        let handle = channel.openSeries(gauge())
        channel.setTickTime((Timestamp(seconds: 42), bench.clock.monotonicTime))
        let samples = [
            Sample(series: handle, value: .unsigned(1)),
            Sample(series: handle, time: Timestamp(seconds: 7), value: .unsigned(2)),
        ]
        _ = channel.commit(samples, checkpoint: nil, rejections: [])
        #expect(bench.points().map(\.time) == [Timestamp(seconds: 42), Timestamp(seconds: 7)])
    }

    @Test func whatAFullLogRefusesIsALossOfAPolledSource() {
        let bench = PipelineBench(maxBytes: 300, overflow: .dropNewest)
        let channel = bench.channel()
        let handle = channel.openSeries(gauge())
        let samples = [
            Sample(series: handle, value: .unsigned(1)), Sample(series: handle, value: .unsigned(2)),
            Sample(series: 99, value: .unsigned(3)),
        ]
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        #expect(bench.ledger.count(component: "kernel", reason: "spool_full") == 2)
        #expect(bench.points().count == 2)
    }

    @Test func whatAFullLogRefusesAStreamHolds() {
        let bench = PipelineBench(maxBytes: 300, overflow: .dropNewest)
        let channel = bench.channel()
        channel.holdWhatIsRefused()
        let samples = Array(repeating: Sample(series: channel.openSeries(gauge()), value: .unsigned(1)), count: 3)
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .busy)
        #expect(bench.ledger.all.isEmpty)
    }

    @Test func whatAFullLogRefusesASourceWithACheckpointHolds() {
        let bench = PipelineBench(maxBytes: 300, overflow: .dropNewest)
        let channel = bench.channel()
        let samples = Array(repeating: Sample(series: channel.openSeries(gauge()), value: .unsigned(1)), count: 3)
        #expect(channel.commit(samples, checkpoint: [1], rejections: []) == .taken)
        #expect(channel.commit(samples, checkpoint: [2], rejections: []) == .busy)
        #expect(bench.ledger.all.isEmpty)
    }

    @Test func aClosedPipelineRefusesAndCounts() {
        let channel = bench.channel()
        let handle = channel.openSeries(gauge())
        bench.pipeline.close()
        #expect(
            channel.commit([Sample(series: handle, value: .unsigned(1))], checkpoint: nil, rejections: []) == .stopping)
        #expect(bench.ledger.count(component: "kernel", reason: "agent_stopping") == 1)
    }

    @Test func overflowIsALossOfTheSink() {
        let bench = PipelineBench(maxBytes: 300, overflow: .dropOldest)
        let channel = bench.channel()
        let sample = Sample(series: channel.openSeries(gauge()), value: .unsigned(1))
        for _ in 0..<5 { #expect(channel.commit([sample], checkpoint: nil, rejections: []) == .taken) }
        #expect(bench.ledger.count(component: "sink", reason: "spool_overflow") == 4)
    }

    @Test func snapshotsTravelAsDocumentsWhenASinkWantsThem() throws {
        let bench = PipelineBench(wants: [.metrics, .snapshots])
        let channel = bench.channel()
        let handle = channel.openSeries(gauge("sonde.kernel.sockstat.udp.inuse"))
        _ = channel.commit([Sample(series: handle, value: .unsigned(12))], checkpoint: nil, rejections: [])
        let document = try #require(bench.documents().first)
        #expect(document.schema == "sonde.snapshot/2")
        let text = String(decoding: document.json, as: UTF8.self)
        #expect(text.contains(#""udp":12"#), "\(text)")
    }

    @Test func nobodyWantsSnapshotsAndNoneIsMade() {
        let channel = bench.channel()
        let handle = channel.openSeries(gauge("sonde.kernel.sockstat.tcp.inuse"))
        _ = channel.commit([Sample(series: handle, value: .unsigned(12))], checkpoint: nil, rejections: [])
        #expect(bench.documents().isEmpty)
    }

    @Test func aClosedInterfaceLeavesTheSnapshot() throws {
        let bench = PipelineBench(wants: [.metrics, .snapshots])
        let channel = bench.channel()
        func io(_ interface: String) -> UInt64 {
            channel.openSeries(
                SeriesSpecification(
                    name: "system.network.io", kind: .counter, unit: "By",
                    attributes: [
                        Attribute("network.interface.name", interface), Attribute("network.io.direction", "receive"),
                    ]))
        }
        let (kept, gone) = (io("eth0"), io("veth7"))
        for count: UInt64 in 1...2 {
            bench.clock.advance(by: .seconds(1))
            let samples = [kept, gone].map { Sample(series: $0, value: .unsigned(count)) }
            _ = channel.commit(samples, checkpoint: nil, rejections: [])
        }
        channel.closeSeries(gone)
        bench.clock.advance(by: .seconds(1))
        _ = channel.commit([Sample(series: kept, value: .unsigned(3))], checkpoint: nil, rejections: [])
        // The first reading of a counter has no rate, and makes no snapshot.
        let texts = bench.documents().map { String(decoding: $0.json, as: UTF8.self) }
        try #require(texts.count == 2)
        #expect(texts[0].contains("veth7"))
        #expect(!texts[1].contains("veth7"))
    }

    @Test(arguments: [(Int64(0), true), (19, false), (20, true), (1_000, true), (1_001, false), (-5, false)])
    func ticksHaveARange(milliseconds: Int64, isAccepted: Bool) {
        #expect(bench.channel().requestTick(every: .milliseconds(milliseconds)) == isAccepted)
    }
}
