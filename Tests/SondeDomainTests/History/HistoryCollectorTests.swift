import SondeDomain
import Testing

@Suite struct HistoryCollectorTests {
    private let series = HistorySeries(.dnsQueries, source: "wire")
    private let time = Timestamp(seconds: 1_000)

    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    /// What a counter's second reading comes to that grows by so much in a second; nil: its first.
    private func rate(_ rate: Double?) -> CounterTracker.Reading {
        var tracker = CounterTracker(start: nil, bits: nil)
        let first = tracker.observe(.double(0), wall: time, at: at(0))
        guard let rate else { return first }
        return tracker.observe(.double(rate * 10), wall: time, at: at(10))
    }

    @Test func ratesOfOneCommitAreAddedUp() {
        var collector = HistoryCollector()
        let contribution = HistoryContribution(series, .rate)
        collector.add(contribution, rate(2))
        collector.add(contribution, rate(3))
        collector.add(contribution, rate(nil))
        let readings = collector.take(time: time, at: at(10))
        #expect(readings.map(\.observation.value) == [.held(5, peak: nil)])
        #expect(readings.map(\.observation.held) == [.seconds(10)])
        #expect(collector.take(time: time, at: at(20)) == [])
    }

    @Test func aCounterWithoutARateSaysNothing() {
        var collector = HistoryCollector()
        collector.add(HistoryContribution(series, .rate), rate(nil))
        #expect(collector.take(time: time, at: at(10)) == [])
    }

    @Test func aValueHoldsSinceTheReadingBefore() {
        var collector = HistoryCollector()
        let sockets = HistoryContribution(HistorySeries(.connectionsTCP, member: "in_use", source: "kernel"), .value)
        collector.add(sockets, value: 4)
        #expect(collector.take(time: time, at: at(10)).map(\.observation.held) == [.zero])
        collector.add(sockets, value: 4)
        collector.add(sockets, value: 5)
        let readings = collector.take(time: time, at: at(25))
        #expect(readings.map(\.observation.held) == [.seconds(15)])
        #expect(readings.map(\.observation.value) == [.held(9, peak: nil)])
    }

    @Test func aPeakGoesWithItsRateAndAloneSaysNothing() {
        var collector = HistoryCollector()
        collector.add(HistoryContribution(series, .peak), value: 80)
        #expect(collector.take(time: time, at: at(10)) == [])
        collector.add(HistoryContribution(series, .peak), value: 80)
        collector.add(HistoryContribution(series, .rate), rate(2))
        #expect(collector.take(time: time, at: at(20)).map(\.observation.value) == [.held(2, peak: 80)])
    }

    @Test func aHistogramTellsWhatItHasGrownBy() throws {
        var collector = HistoryCollector()
        let latency = HistoryContribution(HistorySeries(.dnsLatency, source: "wire"), .durations)
        func histogram(_ count: UInt64, _ sum: Double?) throws -> HistogramValue {
            let counts = (0...LatencyCounts.bounds.count).map { $0 == 5 ? count : 0 }
            return try #require(HistogramValue(bounds: LatencyCounts.bounds, counts: counts, sum: sum))
        }
        let id = SeriesID(rawValue: 9)
        for (count, sum, events) in [
            (100, 10.0, nil), (104, 12, 4), (104, 12, nil), (3, 1, nil), (5, 2, 2), (6, nil, nil), (7, 3, nil),
        ] as [(UInt64, Double?, UInt64?)] {
            collector.add(latency, try histogram(count, sum), of: id)
            let readings = collector.take(time: time, at: at(10))
            guard let events else {
                #expect(readings == [])
                continue
            }
            guard case .events(let counts, let mean)? = readings.first?.observation.value else {
                Issue.record("no events after \(count)")
                continue
            }
            #expect(counts.total == events)
            #expect(mean == 0.5)
        }
        let other = try #require(HistogramValue(bounds: [1, 2], counts: [1, 2, 3], sum: 1))
        collector.add(latency, other, of: id)
        collector.add(latency, other, of: id)
        #expect(collector.take(time: time, at: at(10)) == [])
    }

    @Test func aHistogramThatBeganWithTheAgentIsNewFromItsFirstReadingOn() throws {
        var collector = HistoryCollector()
        let latency = HistoryContribution(HistorySeries(.dnsLatency, source: "wire"), .durations)
        let counts = (0...LatencyCounts.bounds.count).map { UInt64($0 == 5 ? 4 : 0) }
        let first = try #require(HistogramValue(bounds: LatencyCounts.bounds, counts: counts, sum: 2))
        collector.add(latency, first, of: SeriesID(rawValue: 1), from: .zero)
        guard case .events(let events, let mean)? = collector.take(time: time, at: at(10)).first?.observation.value
        else {
            Issue.record("the first reading is left out")
            return
        }
        #expect(events.total == 4 && mean == 0.5)
        // Only the first one is; what comes again is not.
        collector.add(latency, first, of: SeriesID(rawValue: 1), from: .zero)
        #expect(collector.take(time: time, at: at(20)) == [])
    }

    private func connections(
        _ counts: [String: Double],
        _ collector: inout HistoryCollector,
        at seconds: Int64
    ) -> HistoryCollector.Reading? {
        for (state, count) in counts {
            let series = HistorySeries(.connectionsTCP, member: state, source: "kernel")
            collector.add(HistoryContribution(series, .value), value: count)
        }
        return collector.take(time: time, at: at(seconds)).first { $0.series.member == "connected" }
    }

    @Test func tcpSocketsThatNeitherListenNorWaitAreOneMoreReading() {
        var collector = HistoryCollector()
        #expect(connections(["in_use": 9], &collector, at: 10) == nil)
        let walked = connections(
            [
                "listen": 4, "established": 5, "close_wait": 1, "time_wait": 30, "in_use": 10, "orphaned": 2,
            ], &collector, at: 20)
        #expect(walked?.observation.value == .held(6, peak: nil))
        #expect(walked?.observation.held == .seconds(10))
        // The next interval has no walk: what listens is what listened a moment ago.
        let between = connections(["in_use": 14, "orphaned": 0], &collector, at: 30)
        #expect(between?.observation.value == .held(10, peak: nil))
        #expect(between?.series == HistorySeries(.connectionsTCP, member: "connected", source: "kernel"))
        // A walk that could not tell the established ones is no total, but says what listens.
        let partial = connections(["listen": 5, "close_wait": 1, "in_use": 14], &collector, at: 40)
        #expect(partial?.observation.value == .held(9, peak: nil))
        #expect(connections(["in_use": 14], &collector, at: 400) == nil)
    }

    @Test func socketsOfNoStateAreInNoTotal() {
        var collector = HistoryCollector()
        collector.add(HistoryContribution(HistorySeries(.connectionsTCP, source: "kernel"), .value), value: 100)
        let walked = connections(["listen": 4, "established": 5], &collector, at: 20)
        #expect(walked?.observation.value == .held(5, peak: nil))
    }

    /// How long what is read of these interfaces has held.
    private func held(
        _ names: ClosedRange<Int>,
        _ collector: inout HistoryCollector,
        at seconds: Int64
    ) -> Set<Nanoseconds> {
        for name in names {
            let series = HistorySeries(.bandwidthReceive, member: "veth\(name)", source: "kernel")
            collector.add(HistoryContribution(series, .value, rank: .further), value: 1)
        }
        return Set(collector.take(time: time, at: at(seconds)).map(\.observation.held))
    }

    @Test func ofManySeriesThoseThatAreSilentForOverAnHourAreForgotten() {
        var collector = HistoryCollector()
        // Nobody looks for silent ones before there are more than twice as many as were left the last time.
        #expect(held(1...300, &collector, at: 0) == [.zero])
        #expect(held(301...601, &collector, at: 4_000) == [.zero])
        #expect(held(1...1, &collector, at: 4_010) == [.zero])
        #expect(held(301...301, &collector, at: 4_010) == [.seconds(10)])
    }

    @Test func aValueThatComesBackAfterMoreThanAnHourSpeaksOfNothingBefore() {
        var collector = HistoryCollector()
        #expect(held(1...1, &collector, at: 0) == [.zero])
        #expect(held(1...1, &collector, at: 3_600) == [.seconds(3_600)])
        #expect(held(1...1, &collector, at: 7_201) == [.zero])
        #expect(held(1...1, &collector, at: 7_211) == [.seconds(10)])
    }
}
