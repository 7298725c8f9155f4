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
                    .init(.uplink("eth0"), value: 1, held: .zero), .init(.peakStep(nil), value: 0.1, held: .zero),
                    .init(.namespace(.init(name: "self", inode: 42)), value: 1, held: .zero),
                ], time: time, at: instant(second))
        }
        let snapshot = snapshot(["kernel": window], at: 21)
        let bandwidth = try #require(snapshot.bandwidth)
        #expect(
            bandwidth.total?.receive
                == CurrentAveragePeak(current: 300, average: 200, peak: 1_500, peakStep: .milliseconds(100)))
        #expect(bandwidth.total?.transmit == CurrentAveragePeak())
        #expect(bandwidth.interfaces["eth0"]?.transmit.current == 7)
        #expect(bandwidth.uplinks == ["eth0"])
        #expect(bandwidth.peakStep == .milliseconds(100))
        #expect(bandwidth.age == .seconds(1))
        #expect(bandwidth.coverage == nil)
        #expect(snapshot.namespace == .init(name: "self", inode: 42))
        #expect(snapshot.dns == nil && snapshot.connections == nil)
    }

    @Test func aPeakSaysWhatItIsTheAverageOf() throws {
        var window = SourceWindow()
        let step = { (interface: String?, value: Double) in
            SourceWindow.FactReading(.peakStep(interface), value: value, held: .zero)
        }
        // A burst in a tenth of a second, and after it what is read once a second.
        window.take(
            [reading(.bandwidthReceive, "eth0", 10, peak: 900), reading(.bandwidthReceive, "veth1", 3)],
            [step("eth0", 0.1)], time: time, at: instant(10))
        window.take([reading(.bandwidthReceive, "eth0", 10, peak: 20)], [step("eth0", 1)], time: time, at: instant(70))
        let interfaces = try #require(snapshot(["kernel": window], at: 71).bandwidth?.interfaces)
        #expect(interfaces["eth0"]?.receive.peak == 900)
        #expect(interfaces["eth0"]?.receive.peakStep == .milliseconds(100))
        #expect(interfaces["veth1"]?.receive.peakStep == .seconds(10))
        // When the burst leaves the window, the peak and its time are those of what is left.
        let later = try #require(snapshot(["kernel": window], at: 3_600 + 15).bandwidth?.interfaces["eth0"]?.receive)
        #expect(later.peak == 20 && later.peakStep == .seconds(1))
    }

    @Test(arguments: [0, -1, 1e300, .nan, .infinity]) func anImpossibleTimeOfAPeakIsNotKnown(_ step: Double) throws {
        var window = SourceWindow()
        window.take(
            [reading(.bandwidthReceive, "eth0", 10, peak: 900)],
            [.init(.peakStep("eth0"), value: step, held: .zero)], time: time, at: instant(10))
        let values = try #require(snapshot(["k": window], at: 11).bandwidth?.interfaces["eth0"]?.receive)
        #expect(values.peak == 900 && values.peakStep == nil)
    }

    @Test func whatIsNotToldAnyMoreHasNoCurrentValueAndThenIsGone() throws {
        var window = SourceWindow()
        window.take([reading(.bandwidthReceive, "eth0", 5)], [], time: time, at: instant(10))
        #expect(snapshot(["k": window], at: 30).bandwidth?.interfaces["eth0"]?.receive.current == 5)
        let later = try #require(snapshot(["k": window], at: 60).bandwidth?.interfaces["eth0"]?.receive)
        #expect(later == CurrentAveragePeak(current: nil, average: 5, peak: 5, peakStep: .seconds(10)))
        window.take([reading(.bandwidthReceive, "eth1", 5)], [], time: time, at: instant(5_000))
        #expect(snapshot(["k": window], at: 5_001).bandwidth?.interfaces.keys.sorted() == ["eth1"])
    }

    private func namespace(_ name: String, _ inode: UInt64) -> SourceWindow.FactReading {
        .init(.namespace(.init(name: name, inode: inode)), value: 1, held: .zero)
    }

    @Test func theHostIsTheSourceInTheAgentsOwnNamespaceWhateverItsIdentifier() {
        var (extra, kernel) = (SourceWindow(), SourceWindow())
        extra.take(
            [reading(.bandwidthReceive, "eth0", 1), reading(.connectionsTCP, "connected", 1)],
            [namespace("name:blue", 7)], time: time, at: instant(10))
        kernel.take(
            [reading(.bandwidthReceive, "eth0", 2), reading(.connectionsTCP, "connected", 2)],
            [namespace("self", 42)], time: time, at: instant(10))
        let both = snapshot(["extra": extra, "kernel": kernel], at: 11)
        #expect(both.bandwidth?.source == "kernel" && both.connections?.source == "kernel")
        #expect(both.namespace?.name == "self")
        // Nobody reads the host: what is read is shown under its own name, also beside a capture.
        var wire = SourceWindow()
        wire.take(
            [reading(.dnsQueries, nil, 9)], [.init(.dns(.wire), value: 9, held: .zero)], time: time, at: instant(10))
        let alone = snapshot(["extra": extra, "wire": wire], at: 11)
        #expect(alone.bandwidth?.source == "extra" && alone.namespace?.name == "name:blue")
    }

    @Test func noSnapshotMixesTheHostWithAnotherNamespace() {
        var (extra, kernel) = (SourceWindow(), SourceWindow())
        extra.take(
            [reading(.bandwidthReceive, "eth0", 1), reading(.connectionsTCP, "connected", 1)],
            [namespace("name:blue", 7)], time: time, at: instant(10))
        // A source that has just begun knows counts, and no rates before its second look.
        kernel.take([reading(.connectionsTCP, "connected", 2)], [namespace("self", 42)], time: time, at: instant(10))
        let snapshot = snapshot(["extra": extra, "kernel": kernel], at: 11)
        #expect(snapshot.bandwidth == nil)
        #expect(snapshot.connections?.source == "kernel")
        #expect(snapshot.namespace?.name == "self")
    }

    @Test func aSourceThatTellsNoNamespaceIsOfTheHost() {
        var (agent, blue, other) = (SourceWindow(), SourceWindow(), SourceWindow())
        agent.take([reading(.bandwidthReceive, "eth0", 1)], [], time: time, at: instant(10))
        blue.take([reading(.bandwidthReceive, "eth0", 1)], [namespace("name:blue", 7)], time: time, at: instant(10))
        other.take([reading(.connectionsTCP, "connected", 2)], [namespace("self", 42)], time: time, at: instant(10))
        #expect(snapshot(["a": blue, "z": agent], at: 11).bandwidth?.source == "z")
        #expect(snapshot(["a": blue, "z": agent], at: 11).namespace == nil)
        let joined = snapshot(["a": blue, "k": other, "z": agent], at: 11)
        #expect(joined.bandwidth?.source == "z" && joined.connections?.source == "k")
        // What only the history has told so far may be of any namespace.
        var kept = SourceWindow()
        let eth0 = HistorySeries(.bandwidthReceive, member: "eth0", source: "a")
        kept.restore([(HistoryPoint(9, weight: 5_000_000), instant(5))], of: eth0)
        #expect(snapshot(["a": kept, "z": agent], at: 11).bandwidth?.source == "z")
        #expect(snapshot(["a": kept], at: 11).bandwidth?.source == "a")
    }

    @Test func connectionsAreTCPSocketsThatNeitherListenNorWait() throws {
        var window = SourceWindow()
        window.take([reading(.connectionsTCP, "in_use", 9)], [], time: time, at: instant(10))
        #expect(snapshot(["k": window], at: 11).connections?.total == CurrentAveragePeak())
        window.take(
            [
                reading(.connectionsTCP, "listen", 4), reading(.connectionsTCP, "established", 5),
                reading(.connectionsTCP, "close_wait", 1), reading(.connectionsTCP, "time_wait", 30),
                reading(.connectionsTCP, "orphaned", 2), reading(.connectionsTCP, "connected", 6),
                reading(.connectionsTCP, "in_use", 10), reading(.connectionsUDP, "in_use", 3),
            ], [], time: time, at: instant(20))
        let walked = try #require(snapshot(["kernel": window], at: 20).connections)
        #expect(walked.total.current == 6)
        #expect(walked.protocols == ["tcp": 6, "udp": 3])
        #expect(walked.states == ["tcp": ["listen": 4, "established": 5, "close_wait": 1, "time_wait": 30]])
        #expect(walked.statePeaks == walked.states)
        #expect(walked.statesAge == .zero)
        // The next interval has no walk: the states are as old as the last one.
        window.take(
            [reading(.connectionsTCP, "in_use", 14), reading(.connectionsTCP, "connected", 10)], [], time: time,
            at: instant(30))
        let later = try #require(snapshot(["kernel": window], at: 31).connections)
        #expect(later.total == CurrentAveragePeak(current: 10, average: 8, peak: 10, peakStep: .seconds(10)))
        #expect(later.states["tcp"]?["established"] == 5)
        #expect(later.statesAge == .seconds(11))
        #expect(later.age == .seconds(1))
    }

    @Test func statesOfAWalkThatWasNotRepeatedAreGone() throws {
        var window = SourceWindow()
        window.take([reading(.connectionsTCP, "established", 5)], [], time: time, at: instant(10))
        window.take([reading(.connectionsTCP, "in_use", 9)], [], time: time, at: instant(170))
        let connections = try #require(snapshot(["kernel": window], at: 170).connections)
        #expect(connections.states.isEmpty)
        #expect(connections.statesAge == nil)
    }

    @Test func whatHistoryHasKeptIsPartOfTheWindowAndNotTheCurrentValue() throws {
        var window = SourceWindow()
        let eth0 = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")
        // The host is up for ten seconds: what was before lies before the clock's beginning.
        let points = (0..<120).map { step in
            (point: HistoryPoint(100, weight: 5_000_000, peak: 700), end: instant(-5 - Int64(step) * 5))
        }
        window.restore(points, of: eth0)
        let before = try #require(snapshot(["kernel": window], at: 1).bandwidth)
        #expect(before.interfaces["eth0"]?.receive == CurrentAveragePeak(current: nil, average: 100, peak: 700))
        #expect(before.covered == .seconds(600))
        #expect(before.age == .seconds(6))
        window.take([reading(.bandwidthReceive, "eth0", 400)], [], time: time, at: instant(10))
        let after = try #require(snapshot(["kernel": window], at: 10).bandwidth)
        #expect(after.covered == .seconds(610))
        let average = try #require(after.interfaces["eth0"]?.receive.average)
        #expect(abs(average - (600 * 100 + 10 * 400) / 610.0) < 1e-9)
        // It leaves the window as its time comes, and what was restored late is no newer than it is.
        window.restore([(HistoryPoint(9_000, weight: 5_000_000), instant(-4_000))], of: eth0)
        let last = try #require(snapshot(["kernel": window], at: 3_590).bandwidth?.interfaces["eth0"])
        #expect(last.receive == CurrentAveragePeak(current: nil, average: 400, peak: 400, peakStep: .seconds(10)))
        #expect(last.covered == .seconds(10))
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
        #expect(dns.joined?.codes == ["servfail": 200, "noerror": 1_600])
        #expect(dns.log?.codes == nil)
        #expect(
            dns.figures == [
                .rate: .log, .queries: .log, .responses: .wire, .failures: .log, .unanswered: .wire, .latency: .wire,
                .codes: .wire,
            ])
    }

    @Test func whatACaptureHasNotSeenDidNotHappenAndALogMayNotTell() throws {
        var (wire, log) = (SourceWindow(), SourceWindow())
        for second in [10, 20, 30] as [Int64] {
            wire.take([], [.init(.dns(.wire), value: 0, held: .seconds(10))], time: time, at: instant(second))
            log.take([], [.init(.dns(.log), value: 0, held: .seconds(10))], time: time, at: instant(second))
        }
        let quiet = try #require(snapshot(["wire": wire, "log": log], at: 31).dns)
        #expect(quiet.wire?.queries == 0 && quiet.wire?.failures == 0 && quiet.wire?.codes == [:])
        #expect(quiet.wire?.rate == CurrentAveragePeak(current: 0, average: 0, peak: 0))
        #expect(quiet.wire?.latencies == nil)
        #expect(quiet.wire?.age == .seconds(1) && quiet.wire?.covered == .seconds(21))
        #expect(quiet.log == nil)
        // Queries that were all answered: none went without an answer.
        wire.take(
            [
                reading(.dnsQueries, nil, 2, source: "wire"), reading(.dnsResponses, nil, 2, source: "wire"),
                reading(.dnsResponseCodes, "noerror", 2, source: "wire"),
            ], [.init(.dns(.wire), value: 2, held: .seconds(10))], time: time, at: instant(40))
        let answered = try #require(snapshot(["wire": wire], at: 40).dns?.wire)
        #expect(answered.queries == 20 && answered.unanswered == 0 && answered.failures == 0)
        // A log that tells queries alone.
        log.take(
            [reading(.dnsQueries, nil, 2, source: "log")], [.init(.dns(.log), value: 2, held: .seconds(10))],
            time: time,
            at: instant(40))
        let told = try #require(snapshot(["log": log], at: 40).dns?.log)
        #expect(told.queries == 20)
        #expect(told.unanswered == nil && told.failures == nil && told.responses == nil && told.codes == nil)
    }

    private func received(_ bytes: (Double, Double), _ packets: (Double, Double) = (1, 1)) -> [SourceWindow.FactReading]
    {
        [
            (ReceivedCount("eth0", .capture, .bytes), bytes.0), (ReceivedCount("eth0", .kernel, .bytes), bytes.1),
            (ReceivedCount("eth0", .capture, .packets), packets.0),
            (ReceivedCount("eth0", .kernel, .packets), packets.1),
        ].map { .init(.received($0), value: $1, held: .seconds(10)) }
    }

    private func coverage(_ facts: [[SourceWindow.FactReading]]) -> Snapshot.Coverage? {
        var (kernel, wire) = (SourceWindow(), SourceWindow())
        kernel.take([reading(.bandwidthReceive, "eth0", 900)], [], time: time, at: instant(10))
        for (place, facts) in facts.enumerated() {
            wire.take([], facts, time: time, at: instant(Int64(place + 1) * 10))
        }
        return snapshot(["k": kernel, "w": wire], at: Int64(facts.count) * 10).bandwidth?.coverage
    }

    @Test func coverageIsOfWhatBothCountedAndNamesACauseOnlyWhereItIsOff() throws {
        let near = try #require(coverage([received((990, 1_000)), received((100, 100))]))
        #expect(try abs(#require(near.ratio) - 0.990_909) < 1e-5 && near.cause == nil)
        let drops: [SourceWindow.FactReading] = [.init(.captureDrops, value: 5, held: .seconds(10))]
        #expect(coverage([received((900, 1_000)) + drops])?.cause == .captureDrops)
        // Thirty packets have become one: what is missing is 66 bytes of header for each of the others.
        #expect(coverage([received((29_000, 30_914), (1, 30))])?.cause == .aggregation)
        #expect(coverage([received((20_000, 30_914), (1, 30))])?.cause == .unexplained)
        #expect(coverage([received((1_500, 1_000))]) == Snapshot.Coverage(ratio: 1.5, cause: .unexplained))
        #expect(coverage([received((0, 0))]) == nil)
        #expect(coverage([]) == nil)
    }

    @Test func whatOnlyOneOfBothCountedIsInNoCoverage() throws {
        let alone: [SourceWindow.FactReading] = [
            .init(.received(ReceivedCount("eth1", .capture, .bytes)), value: 5_000, held: .seconds(10)),
            .init(.received(ReceivedCount("eth2", .kernel, .bytes)), value: 5_000, held: .seconds(10)),
        ]
        #expect(coverage([alone]) == nil)
        #expect(coverage([received((990, 1_000)) + alone]) == Snapshot.Coverage(ratio: 0.99, cause: nil))
    }

    @Test func coverageIsNullWhereItCannotBeKnownAndSaysWhy() {
        let filtered: [SourceWindow.FactReading] = [.init(.captureFiltered, value: 1, held: .zero)]
        #expect(coverage([received((990, 1_000)) + filtered]) == Snapshot.Coverage(ratio: nil, cause: .filter))
        let gone: [SourceWindow.FactReading] = [.init(.captureActive("eth0"), value: 0, held: .zero)]
        #expect(coverage([gone]) == Snapshot.Coverage(ratio: nil, cause: .interfaceGone))
        let back: [SourceWindow.FactReading] = [.init(.captureActive("eth0"), value: 1, held: .zero)]
        #expect(coverage([gone, back]) == nil)
        #expect(coverage([received((500, 1_000)) + gone])?.cause == .interfaceGone)
    }

    @Test func seriesAreBounded() {
        var window = SourceWindow()
        let readings = (0..<5_000).map { reading(.bandwidthReceive, "veth\($0)", 1) }
        window.take(readings, [], time: time, at: instant(10))
        #expect(window.series.count == SourceWindow.seriesBound)
        #expect(window.refused == UInt64(5_000 - SourceWindow.seriesBound))
    }
}
