import SondeDomain
import Testing

/// What the wire shows of a resolver's log.
@Suite struct NameServiceCoverageTests {
    private static let resolver = NameServer("10.0.0.1", port: 53)

    private func instant(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private struct Interval {
        var asked: [NameServer: Double] = [:]
        var logged = 0.0
        var encrypted = 0.0
        var drops = 0.0
        var resolvers = [NameServiceCoverageTests.resolver]
    }

    /// What a snapshot says after some intervals that were all alike.
    private func coverage(_ interval: Interval, count: Int = 10) -> Snapshot.Coverage? {
        let held = Nanoseconds.seconds(10)
        var sources = ["wire": SourceWindow(), "log": SourceWindow()]
        var coverage = NameServiceCoverage(window: .seconds(3_600))
        let wire: [SourceWindow.FactReading] =
            interval.asked.map { .init(.serverQueries($0.key), value: $0.value, held: held) }
            + [.init(.dns(.wire), value: 0, held: held), .init(.captureDrops, value: interval.drops, held: held)]
        let log: [SourceWindow.FactReading] =
            [
                .init(.logQueries(isEncrypted: false), value: interval.logged - interval.encrypted, held: held),
                .init(.logQueries(isEncrypted: true), value: interval.encrypted, held: held),
            ] + interval.resolvers.map { .init(.resolver($0), value: 1, held: .zero) }
        for number in 1...Int64(count) {
            for (source, facts) in [("log", log), ("wire", wire)] {
                let now = instant(number * 10)
                coverage.take(facts, of: source, since: number > 1 ? instant(number * 10 - 10) : nil, at: now)
                let reading = HistoryCollector.Reading(
                    series: HistorySeries(.dnsQueries, source: source), rank: .standard,
                    observation: HistoryObservation(.held(1, peak: nil), at: Timestamp(seconds: 1), held: held))
                sources[source]?.take([reading], facts, time: Timestamp(seconds: 1), at: now)
            }
        }
        var snapshot = Snapshot(time: Timestamp(seconds: 1), host: nil, window: .seconds(3_600))
        snapshot.fill(from: sources, coverage, at: instant(Int64(count) * 10))
        return snapshot.dns?.coverage
    }

    @Test func onlyWhatWasSentToTheResolverIsCompared() throws {
        let other = NameServer("10.0.0.2", port: 53)
        let elsewhere = NameServer("10.0.0.1", port: 5_353)
        let found = coverage(Interval(asked: [Self.resolver: 40, other: 500, elsewhere: 500], logged: 40))
        #expect(try abs(#require(found?.ratio) - 1) < 1e-9)
        #expect(found?.cause == nil)
    }

    @Test func anUnspecifiedAddressIsEveryOneOfItsFamily() throws {
        var interval = Interval(
            asked: [Self.resolver: 10, NameServer("127.0.0.1", port: 53): 20, NameServer("2001:db8::1", port: 53): 30],
            logged: 30)
        interval.resolvers = [NameServer("0.0.0.0", port: 53)]
        #expect(try abs(#require(coverage(interval)?.ratio) - 1) < 1e-9)
        interval.resolvers.append(NameServer("::", port: 53))
        #expect(try abs(#require(coverage(interval)?.ratio) - 2) < 1e-9)
    }

    @Test func eachCauseIsToldApart() throws {
        #expect(coverage(Interval(asked: [Self.resolver: 90], logged: 100, drops: 1))?.cause == .captureDrops)
        #expect(
            coverage(Interval(asked: [Self.resolver: 60], logged: 100, encrypted: 40))?.cause == .encryptedTransport)
        #expect(coverage(Interval(asked: [Self.resolver: 30], logged: 100, encrypted: 40))?.cause == .otherPath)
        #expect(coverage(Interval(logged: 100))?.cause == .otherPath)
        #expect(try #require(coverage(Interval(logged: 100))?.ratio) == 0)
        #expect(coverage(Interval(asked: [Self.resolver: 100], logged: 10))?.cause == .logLevel)
    }

    @Test func whatCannotBeKnownIsNullAndSaysWhy() {
        var interval = Interval(asked: [Self.resolver: 100], logged: 100)
        interval.resolvers = []
        #expect(coverage(interval) == Snapshot.Coverage(ratio: nil, cause: .resolverUnknown))
        // A log that tells no query at all.
        #expect(
            coverage(Interval(asked: [Self.resolver: 100])) == Snapshot.Coverage(ratio: nil, cause: .logLevel))
        #expect(coverage(Interval()) == nil)
    }
}
