import SondeDomain
import Testing

@Suite struct SourceWindowTests {
    private func instant(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }
    private let time = Timestamp(seconds: 1_767_225_600)

    private func reading(
        _ metric: HistoryMetric,
        _ member: String? = nil,
        _ value: Double,
        peak: Double? = nil,
        source: String = "kernel"
    ) -> HistoryCollector.Reading {
        .init(
            series: HistorySeries(metric, member: member, source: source), rank: .standard,
            observation: HistoryObservation(.held(value, peak: peak), at: time, held: .seconds(10)))
    }

    private func snapshot(_ sources: [String: SourceWindow], at seconds: Int64) -> Snapshot {
        var snapshot = Snapshot(time: time, host: "h", window: .seconds(3_600))
        snapshot.fill(from: sources, at: instant(seconds))
        return snapshot
    }

    @Test func bandwidthHasTheUplinksTogetherAndEachInterface() throws {
        var window = SourceWindow()
        for (second, rate) in [(10, 100.0), (20, 300)] as [(Int64, Double)] {
            window.take(
                [
                    reading(.bandwidthReceive, nil, rate, peak: rate * 5),
                    reading(.bandwidthReceive, "eth0", rate, peak: rate * 5), reading(.bandwidthTransmit, "eth0", 7),
                ],
                [
                    .init(.uplink("eth0"), value: 1, held: .zero), .init(.peakStep, value: 0.1, held: .zero),
                    .init(.namespace(.init(name: "self", inode: 42)), value: 1, held: .zero),
                ], time: time, at: instant(second))
        }
        let snapshot = snapshot(["kernel": window], at: 21)
        let bandwidth = try #require(snapshot.bandwidth)
        #expect(bandwidth.total?.receive == CurrentAveragePeak(current: 300, average: 200, peak: 1_500))
        #expect(bandwidth.total?.transmit == CurrentAveragePeak())
        #expect(bandwidth.interfaces["eth0"]?.transmit.current == 7)
        #expect(bandwidth.uplinks == ["eth0"])
        #expect(bandwidth.peakStep == .milliseconds(100))
        #expect(bandwidth.age == .seconds(1))
        #expect(bandwidth.coverage == nil)
        #expect(snapshot.namespace == .init(name: "self", inode: 42))
        #expect(snapshot.dns == nil && snapshot.connections == nil)
    }

    @Test func whatIsNotToldAnyMoreHasNoCurrentValueAndThenIsGone() throws {
        var window = SourceWindow()
        window.take([reading(.bandwidthReceive, "eth0", 5)], [], time: time, at: instant(10))
        #expect(snapshot(["k": window], at: 30).bandwidth?.interfaces["eth0"]?.receive.current == 5)
        let later = try #require(snapshot(["k": window], at: 60).bandwidth?.interfaces["eth0"]?.receive)
        #expect(later == CurrentAveragePeak(current: nil, average: 5, peak: 5))
        window.take([reading(.bandwidthReceive, "eth1", 5)], [], time: time, at: instant(5_000))
        #expect(snapshot(["k": window], at: 5_001).bandwidth?.interfaces.keys.sorted() == ["eth1"])
    }

    @Test func connectionsAreTCPSocketsThatNeitherListenNorWait() throws {
        var window = SourceWindow()
        window.take([reading(.connectionsTCP, "in_use", 9)], [], time: time, at: instant(10))
        #expect(snapshot(["k": window], at: 11).connections?.total == CurrentAveragePeak())
        window.take(
            [
                reading(.connectionsTCP, "listen", 4), reading(.connectionsTCP, "established", 5),
                reading(.connectionsTCP, "close_wait", 1), reading(.connectionsTCP, "time_wait", 30),
                reading(.connectionsTCP, "in_use", 10), reading(.connectionsUDP, "in_use", 3),
            ], [], time: time, at: instant(20))
        let walked = try #require(snapshot(["kernel": window], at: 20).connections)
        #expect(walked.total.current == 6)
        #expect(walked.protocols == ["tcp": 6, "udp": 3])
        #expect(walked.states["tcp"]?["time_wait"] == 30)
        #expect(walked.states["tcp"]?["in_use"] == nil)
        // The next interval has no walk: what listens is what listened a moment ago.
        window.take([reading(.connectionsTCP, "in_use", 14)], [], time: time, at: instant(30))
        #expect(snapshot(["kernel": window], at: 30).connections?.total.current == 10)
        #expect(snapshot(["kernel": window], at: 30).connections?.total.peak == 10)
    }

    @Test func dnsCountsOverTheWindowAndJoinsWhatTheBetterSourceKnows() throws {
        var (wire, log) = (SourceWindow(), SourceWindow())
        var counts = [UInt32](repeating: 0, count: LatencyCounts.bounds.count + 1)
        counts[6] = 10
        let latencies = try #require(LatencyCounts(counts: counts))
        for second in stride(from: Int64(10), through: 100, by: 10) {
            let duration = HistoryCollector.Reading(
                series: HistorySeries(.dnsLatency, source: "wire"), rank: .standard,
                observation: HistoryObservation(.events(latencies, mean: 0.001), at: time, held: .seconds(10)))
            wire.take(
                [
                    reading(.dnsQueries, nil, 19, source: "wire"), reading(.dnsResponses, nil, 18, source: "wire"),
                    reading(.dnsUnanswered, nil, 1, source: "wire"),
                    reading(.dnsResponseCodes, "servfail", 2, source: "wire"),
                    reading(.dnsResponseCodes, "noerror", 16, source: "wire"), duration,
                ], [.init(.dns(.wire), value: 19, held: .seconds(10))], time: time, at: instant(second))
            log.take(
                [reading(.dnsQueries, nil, 20, source: "log"), reading(.dnsFailures, nil, 2, source: "log")],
                [.init(.dns(.log), value: 20, held: .seconds(10))], time: time, at: instant(second))
        }
        let dns = try #require(snapshot(["wire": wire, "log": log], at: 101).dns)
        #expect(dns.wire?.queries == 1_900)
        #expect(dns.wire?.failures == 300)
        #expect(dns.wire?.latencies?.total == 100)
        #expect(dns.log?.responses == nil)
        #expect(dns.log?.failures == 200)
        #expect(dns.joined?.source == "log")
        #expect(dns.joined?.queries == 2_000)
        #expect(dns.joined?.responses == 1_800)
        #expect(dns.joined?.latencies?.total == 100)
        #expect(dns.coverage == Snapshot.Coverage(seen: 1_900, counted: 2_000, cause: .otherPath))
        #expect(dns.coverage?.cause == .otherPath)
    }

    @Test func coverageIsOfTheSameInterfaceAndNamesACauseOnlyWhereItIsOff() throws {
        var (kernel, wire) = (SourceWindow(), SourceWindow())
        for second: Int64 in [10, 20] {
            kernel.take(
                [reading(.bandwidthReceive, "eth0", 900), reading(.bandwidthTransmit, "eth0", 100)], [], time: time,
                at: instant(second))
            wire.take([], [.init(.captured("eth0"), value: 990, held: .seconds(10))], time: time, at: instant(second))
        }
        let near = try #require(snapshot(["k": kernel, "w": wire], at: 20).bandwidth?.coverage)
        #expect(abs(near.ratio - 0.99) < 1e-9 && near.cause == nil)
        wire.take(
            [],
            [
                .init(.captured("eth0"), value: 100, held: .seconds(10)),
                .init(.captureDrops, value: 50, held: .seconds(10)),
            ], time: time, at: instant(30))
        let off = try #require(snapshot(["k": kernel, "w": wire], at: 30).bandwidth?.coverage)
        #expect(off.cause == .captureDrops)
        #expect(Snapshot.Coverage(seen: 5, counted: 0, cause: .aggregation) == nil)
        #expect(Snapshot.Coverage(seen: nil, counted: 5, cause: .aggregation) == nil)
        #expect(Snapshot.Coverage(seen: 15, counted: 10, cause: .aggregation)?.ratio == 1.5)
    }

    @Test func seriesAreBounded() {
        var window = SourceWindow()
        let readings = (0..<5_000).map { reading(.bandwidthReceive, "veth\($0)", 1) }
        window.take(readings, [], time: time, at: instant(10))
        #expect(window.series.count == SourceWindow.seriesBound)
        #expect(window.refused == UInt64(5_000 - SourceWindow.seriesBound))
    }
}
