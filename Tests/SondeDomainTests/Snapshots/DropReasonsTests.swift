import SondeDomain
import Testing

/// Why packets were dropped, beside what is counted without a reason.
@Suite struct DropReasonsTests {
    private static let held = Nanoseconds.seconds(10)

    private func instant(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    /// What a snapshot says after so many intervals, in each of which so much was dropped a second.
    private func summary(
        _ reasons: [String: Double],
        _ counters: [DropCounter: Double] = [:],
        namespace: Snapshot.Namespace? = nil,
        count: Int64 = 6,
        countersSince first: Int64 = 1
    ) -> Snapshot.Drops? {
        var taken = DropReasons(window: .seconds(3_600))
        let why: [SourceWindow.FactReading] =
            [.init(.dropSource, value: 0, held: Self.held)]
            + reasons.map { .init(.dropReason($0.key), value: $0.value, held: Self.held) }
        let kernel: [SourceWindow.FactReading] =
            counters.map { .init(.dropCounter($0.key), value: $0.value, held: Self.held) }
            + (namespace.map { [.init(.namespace($0), value: 1, held: .zero)] } ?? [])
        for number in 1...count {
            let last = number > 1 ? instant(number * 10 - 10) : nil
            if number >= first { taken.take(why, of: "why", since: last, at: instant(number * 10)) }
            taken.take(kernel, of: "kernel", since: last, at: instant(number * 10))
        }
        return snapshot(taken, at: instant(count * 10))
    }

    private func snapshot(_ reasons: DropReasons, at now: MonotonicInstant) -> Snapshot.Drops? {
        var snapshot = Snapshot(time: Timestamp(seconds: 1), host: nil, window: .seconds(3_600))
        snapshot.fill(from: [:], nil, reasons, at: now)
        return snapshot.drops
    }

    @Test func theMostFrequentReasonsComeFirst() throws {
        let drops = try #require(summary(["no_socket": 2, "socket_rcvbuff": 5, "not_specified": 0]))
        #expect(drops.source == "why" && drops.packets == 420 && drops.covered == .seconds(60))
        #expect(drops.reasons == [.init(name: "socket_rcvbuff", count: 300), .init(name: "no_socket", count: 120)])
        #expect(drops.beside == [] && drops.coverage == nil)
    }

    @Test func theTopReasonStandsBesideWhatIsCounted() throws {
        let drops = try #require(
            summary(
                ["no_socket": 9, "socket_rcvbuff": 5, "udp_csum": 1, "cpu_backlog": 2],
                [.udpReceive: 6, .interface: 4, .listen: 0, .queue: 1]))
        #expect(
            drops.beside == [
                .init(counter: .interface, count: 240, reason: .init(name: "cpu_backlog", count: 120)),
                .init(counter: .queue, count: 60, reason: nil),
                .init(counter: .udpReceive, count: 360, reason: .init(name: "socket_rcvbuff", count: 300)),
            ])
        // 2 of 4, none of 1, 6 of 6.
        #expect(try abs(#require(drops.coverage?.ratio) - 8.0 / 11) < 1e-9)
        #expect(drops.coverage?.cause == .unexplained)
    }

    /// Drops of other namespaces do not explain what this one counts twice.
    @Test func aReasonThatWasMoreThanIsCountedWasInAnotherNamespace() throws {
        let drops = try #require(summary(["socket_rcvbuff": 50, "udp_csum": 5], [.udpReceive: 5]))
        #expect(drops.beside.map(\.reason?.name) == ["udp_csum"])
        #expect(try #require(summary(["socket_rcvbuff": 50], [.udpReceive: 5])).beside.map(\.reason) == [nil])
    }

    @Test func moreReasonsThanCountsExplainAllOfThem() {
        let coverage = summary(["socket_rcvbuff": 500], [.udpReceive: 5])?.coverage
        #expect(coverage == Snapshot.Coverage(ratio: 1, cause: nil))
    }

    @Test func whatWasCountedBeforeTheReasonsWereIsNotCompared() throws {
        let drops = try #require(summary(["socket_rcvbuff": 5], [.udpReceive: 5], countersSince: 4))
        #expect(drops.beside.map(\.count) == [150])
        #expect(drops.coverage?.ratio == 1)
    }

    @Test func theCountersOfAnotherNamespaceAreNotCompared() throws {
        let other = Snapshot.Namespace(name: "blue", inode: 7)
        #expect(try #require(summary(["udp_csum": 1], [.udpReceive: 1], namespace: other)).beside == [])
        let own = Snapshot.Namespace(name: "self", inode: 7)
        #expect(try #require(summary(["udp_csum": 1], [.udpReceive: 1], namespace: own)).beside.count == 1)
    }

    @Test func withoutReasonsNothingIsSaid() {
        var taken = DropReasons(window: .seconds(3_600))
        for second: Int64 in 1...3 {
            taken.take(
                [.init(.dropCounter(.listen), value: 5, held: Self.held)], of: "kernel", since: instant(second - 1),
                at: instant(second))
        }
        #expect(snapshot(taken, at: instant(3)) == nil)
    }

    @Test func aSourceThatIsGoneIsForgotten() {
        var taken = DropReasons(window: .seconds(3_600))
        taken.take(
            [.init(.dropReason("xdp"), value: 5, held: Self.held)], of: "why", since: instant(1), at: instant(11))
        taken.forget("kernel")
        #expect(snapshot(taken, at: instant(11)) != nil)
        taken.forget("why")
        #expect(snapshot(taken, at: instant(11)) == nil)
    }

    @Test func reasonsAreBounded() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<500).map { ("reason_\($0)", 1.0) })
        let drops = try #require(summary(many))
        #expect(drops.packets == Double(DropReasons.reasonBound) * 60 && drops.reasons.count == 10)
    }

    /// A reason belongs to one counter: it would explain two.
    @Test func noReasonExplainsTwoCounters() {
        let all = DropCounter.allCases.flatMap(\.reasons)
        #expect(Set(all).count == all.count)
    }
}
