import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct RankChangesTests {
    private let eth0 = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")
    private let sockets = HistorySeries(.connectionsTCP, member: "established", source: "kernel")

    private func changes(
        _ rules: [HistorySeries: GivenHistory.Rule],
        range: Int64 = 60,
        against reference: HistoryChanges.Reference = .week,
        at now: Timestamp = GivenHistory.now
    ) throws -> HistoryChanges {
        let record = RecordHistory(store: GivenHistory(rules), clock: ManualClock(), log: RecordingLog())
        return try RankChanges(record)(.seconds(range * 60), against: reference, at: now)
    }

    private func minute(_ time: Timestamp?) -> Int64? {
        time.map { $0.nanoseconds / 60_000_000_000 - GivenHistory.begin }
    }

    /// About `level`, a tenth up or down.
    private static func noisy(_ level: Double, _ minute: Int64, _ seed: UInt64 = 0) -> Double {
        level * (0.9 + 0.2 * GivenHistory.chance(minute, seed))
    }

    @Test func aStepIsFoundWithBothValuesAndItsFirstMinute() throws {
        let found = try changes([
            eth0: GivenHistory.value { Self.noisy($0 >= 37 ? 10e6 : 1e6, $0) },
            sockets: GivenHistory.value { Self.noisy(200, $0, 1) },
        ])
        #expect(found.changes.count == 1)
        let change = try #require(found.changes.first)
        #expect(change.series == eth0 && change.direction == .higher && change.basis == .daysBefore)
        #expect(minute(change.begin) == 37 && change.end == nil && !change.mayBeEarlier)
        #expect(abs(try #require(change.value) / 10e6 - 1) < 0.1)
        #expect(abs(try #require(change.usual).median / 1e6 - 1) < 0.05)
        #expect(found.daysKept == 6 && found.compared == 2 && found.unknown == 0 && found.silentSources == [])
    }

    @Test func aFallIsFoundAsARiseIs() throws {
        let found = try changes([eth0: GivenHistory.value { $0 >= 50 ? 0 : Self.noisy(5e6, $0) }])
        let change = try #require(found.changes.first)
        #expect(change.direction == .lower && minute(change.begin) == 50 && change.value == 0)
    }

    @Test func aStepOfTheLastMinutesIsFoundAlready() throws {
        let found = try changes([eth0: GivenHistory.value { Self.noisy($0 >= 57 ? 20e6 : 1e6, $0) }])
        #expect(minute(found.changes.first?.begin) == 57)
    }

    @Test func aRampBeginsWhereItLeavesWhatIsUsual() throws {
        let found = try changes([eth0: GivenHistory.value { Self.noisy(1e6 * Double(max(0, $0 - 20) + 10) / 10, $0) }])
        let change = try #require(found.changes.first)
        #expect(change.direction == .higher && change.end == nil)
        #expect((21...28).contains(try #require(minute(change.begin))))
    }

    @Test func aSpikeIsFoundWithItsMinute() throws {
        let found = try changes([eth0: GivenHistory.value { Self.noisy($0 == 30 ? 60e6 : 1e6, $0) }])
        let change = try #require(found.changes.first)
        #expect(change.direction == .higher && minute(change.begin) == 30 && minute(change.end) == 31)
    }

    @Test func whatLastsRanksBeforeASpikeOfTheSameHeight() throws {
        let eth1 = HistorySeries(.bandwidthReceive, member: "eth1", source: "kernel")
        let found = try changes([
            eth0: GivenHistory.value { Self.noisy($0 == 30 ? 60e6 : 1e6, $0) },
            eth1: GivenHistory.value { Self.noisy($0 >= 30 ? 60e6 : 1e6, $0) },
        ])
        #expect(found.changes.map(\.series) == [eth1, eth0])
    }

    /// Ten times as much by day as by night, with its edges: every half hour of a day is usual.
    @Test(arguments: [(60, .week), (60, .day), (1_440, .week)] as [(Int64, HistoryChanges.Reference)])
    func aDailyRhythmIsUsual(range: Int64, reference: HistoryChanges.Reference) throws {
        // A range of a day passes every edge itself.
        for shift in stride(from: Int64(0), to: 48, by: range > 60 ? 12 : 1) {
            let found = try changes(
                [
                    eth0: GivenHistory.value { minute in
                        let day = ((minute + shift * 30) % 1_440 + 1_440) % 1_440
                        return Self.noisy((480..<1_080).contains(day) ? 10e6 : 1e6, minute, UInt64(shift))
                    }
                ], range: range, against: reference)
            #expect(found.changes == [], "shifted by \(shift) half hours")
        }
    }

    /// A job of ten minutes is in two steps of the days, or in one: in all of them it is usual.
    @Test(arguments: HistoryChanges.Reference.allCases)
    func aJobAtTheSameMinuteOfEachDayIsUsual(reference: HistoryChanges.Reference) throws {
        for start in -5..<60 as Range<Int64> {
            let found = try changes(
                [
                    eth0: GivenHistory.value { minute in
                        let isJob = (0..<10).contains(((minute - start) % 1_440 + 1_440) % 1_440)
                        return Self.noisy(isJob ? 40e6 : 1e6, minute)
                    }
                ], against: reference)
            #expect(found.changes == [], "from minute \(start) on")
        }
    }

    @Test func aWeekendIsUsualAndASingleBadDayIsNot() throws {
        func found(low days: Set<Int64>) throws -> [HistoryChange] {
            try changes([
                eth0: GivenHistory.value { minute in
                    let day = -((minute - 720) / 1_440)
                    return Self.noisy(minute >= 0 || days.contains(day) ? 1e6 : 10e6, minute)
                }
            ]).changes
        }
        #expect(try found(low: [1, 6]) == [])
        #expect(try found(low: [3]).map(\.direction) == [.lower])
    }

    @Test func aStormOfADayAgoDoesNotHideOneOfToday() throws {
        let found = try changes([
            eth0: GivenHistory.value { Self.noisy($0 >= 10 || (-1_460 ..< -1_380).contains($0) ? 50e6 : 1e6, $0) }
        ])
        #expect(minute(found.changes.first?.begin) == 10)
    }

    @Test func zerosConstantsAndAFewSocketsAreNoChange() throws {
        let found = try changes([
            eth0: GivenHistory.value { _ in 0 },
            sockets: GivenHistory.value { _ in 1_000 },
            HistorySeries(.connectionsTCP, member: "close_wait", source: "kernel"): GivenHistory.value {
                $0 > 40 ? 3 : 0
            },
            HistorySeries(.agentMemory, source: "agent"): GivenHistory.value { $0 > 40 ? 11_000_000 : 10_000_000 },
        ])
        #expect(found.changes == [] && found.compared == 4)
    }

    @Test func aConstantThatMovesIsAChange() throws {
        let found = try changes([sockets: GivenHistory.value { $0 >= 5 ? 1_500 : 1_000 }])
        #expect(found.changes.map(\.usual?.median) == [1_000] && found.changes.map(\.value) == [1_500])
    }

    @Test func whatIsThereFromTheFirstMinuteMayHaveBegunEarlier() throws {
        let found = try changes([sockets: GivenHistory.value { $0 >= -30 ? 1_500 : 1_000 }])
        #expect(found.changes.map(\.mayBeEarlier) == [true])
        #expect(minute(found.changes.first?.begin) == 0)
    }

    @Test func aNewSeriesHasAppearedAndOneThatEndsHasVanished() throws {
        let tun0 = HistorySeries(.bandwidthReceive, member: "tun0", source: "kernel")
        let idle = HistorySeries(.bandwidthReceive, member: "veth1", source: "kernel")
        let found = try changes([
            eth0: GivenHistory.value { Self.noisy(1e6, $0) },
            tun0: GivenHistory.value { $0 >= 20 ? 3e6 : nil },
            idle: GivenHistory.value { $0 >= 20 ? 100 : nil },
            sockets: GivenHistory.value { $0 < 45 ? 200 : nil },
        ])
        let byName = Dictionary(uniqueKeysWithValues: found.changes.map { ($0.series, $0) })
        #expect(byName.count == 2)
        #expect(byName[tun0]?.direction == .appeared && byName[tun0]?.usual == nil && byName[tun0]?.value == 3e6)
        #expect(minute(byName[tun0]?.begin) == 20)
        #expect(byName[sockets]?.direction == .vanished && byName[sockets]?.value == nil)
        #expect(minute(byName[sockets]?.begin) == 45 && byName[sockets]?.usual?.median == 200)
    }

    @Test func aSourceThatIsSilentHasNoSeriesThatVanished() throws {
        let found = try changes([
            eth0: GivenHistory.value { $0 < 30 ? Self.noisy(1e6, $0) : nil },
            sockets: GivenHistory.value { $0 < 30 ? 200 : nil },
            HistorySeries(.dnsQueries, source: "log"): GivenHistory.value { Self.noisy(50, $0) },
        ])
        #expect(found.changes == [] && found.silentSources == ["kernel"])
    }

    @Test func gapsAreNeitherZeroNorAChange() throws {
        let found = try changes([
            eth0: GivenHistory.value { minute in
                let isGap = (10..<25).contains(minute) || (-4_400 ..< -2_900).contains(minute)
                return isGap ? nil : Self.noisy(minute >= 40 ? 9e6 : 1e6, minute)
            }
        ])
        #expect(found.changes.map { minute($0.begin) } == [40] && found.daysKept == 5)
    }

    @Test func aCounterThatWasResetLeavesAGapAndNoChange() throws {
        let clock = ManualClock(wall: Timestamp(seconds: 1_767_225_600))
        let record = RecordHistory(store: InMemoryHistoryStore(units: 4), clock: clock, log: RecordingLog())
        var (tracker, collector) = (CounterTracker(start: nil, bits: nil), HistoryCollector())
        var counter: UInt64 = 1 << 40
        for second in 0..<(6 * 360) {
            clock.advance(by: .seconds(10))
            counter = second == 2_000 ? 7 : counter + 10_000_000
            let reading = tracker.observe(.unsigned(counter), wall: clock.wallTime, at: clock.monotonicTime)
            collector.add(HistoryContribution(eth0, .rate), reading)
            record.take(collector.take(time: clock.wallTime, at: clock.monotonicTime))
            if second % 60 == 0 { _ = record.commit() }
        }
        let found = try RankChanges(record)(.seconds(3_600), against: .week, at: clock.wallTime)
        #expect(found.changes == [] && found.compared == 1 && found.daysKept == 0)
    }

    @Test func withoutEarlierDaysTheTimeBeforeIsCompared() throws {
        let found = try changes([
            eth0: GivenHistory.value { $0 < -240 ? nil : Self.noisy($0 >= 12 ? 10e6 : 1e6, $0) },
            sockets: GivenHistory.value { $0 < -240 ? nil : Self.noisy(200, $0, 1) },
        ])
        #expect(found.daysKept == 0 && found.compared == 2)
        #expect(found.changes.map(\.series) == [eth0] && found.changes.map(\.basis) == [.timeBefore])
        #expect(minute(found.changes.first?.begin) == 12)
    }

    @Test func anAgentThatHasJustBegunSaysThatItDoesNotKnow() throws {
        let found = try changes([eth0: GivenHistory.value { $0 < 0 ? nil : Self.noisy($0 >= 30 ? 10e6 : 1e6, $0) }])
        #expect(found.changes == [] && found.compared == 0 && found.unknown == 1)
        #expect(try changes([:]).changes == [])
        #expect(try changes([:], at: Timestamp(seconds: 0)).changes == [])
    }

    @Test func theDayBeforeAloneIsEnough() throws {
        let rules = [eth0: GivenHistory.value { $0 < -2_000 ? nil : Self.noisy($0 >= 12 ? 10e6 : 1e6, $0) }]
        let found = try changes(rules, against: .day)
        #expect(found.daysKept == 1 && found.changes.map(\.basis) == [.daysBefore])
        #expect(minute(found.changes.first?.begin) == 12)
    }

    @Test func aDistributionIsComparedByItsMedian() throws {
        let latency = HistorySeries(.dnsLatency, source: "log")
        @Sendable func point(_ bucket: Int, _ events: UInt32, slow: UInt32 = 0) -> HistoryPoint? {
            var counts = Array(repeating: UInt32(0), count: LatencyCounts.bounds.count + 1)
            counts[bucket] = events
            counts[16] += slow
            var point = HistoryPoint(slow > 0 ? 0.1 : 0.001, weight: UInt64(events + slow))
            point.latencies = LatencyCounts(counts: counts)
            return point
        }
        let slower = try changes([latency: { point($0 - GivenHistory.begin >= 30 ? 13 : 6, 100) }])
        #expect(slower.changes.map { minute($0.begin) } == [30])
        #expect(try #require(slower.changes.first?.value) > 0.1)
        // One answer of a hundred that takes two seconds, and minutes with hardly any, say nothing of the others.
        #expect(try changes([latency: { point(6, 100, slow: $0 - GivenHistory.begin == 30 ? 1 : 0) }]).changes == [])
        let rare = try changes([latency: { $0 % 3 == 0 ? point($0 % 2 == 0 ? 6 : 13, 1) : nil }])
        #expect(rare.compared == 0)
        #expect(rare.changes == [])
    }

    @Test func rangesAreKeptWithinTheirBoundsAndInWholeMinutes() throws {
        let rules = [eth0: GivenHistory.value { Self.noisy(1e6, $0) }]
        let short = try changes(rules, range: 0).range
        #expect(short.to.nanoseconds - short.from.nanoseconds == 300_000_000_000)
        #expect(short.to == Timestamp(seconds: (GivenHistory.begin + 60) * 60))
        let long = try changes(rules, range: 100_000)
        #expect(long.range.to.nanoseconds - long.range.from.nanoseconds == 86_400_000_000_000)
        #expect(long.step == .seconds(120) && long.changes == [])
    }

    @Test func answersOfOneMinuteAreMadeOnce() throws {
        let store = GivenHistory([eth0: GivenHistory.value { Self.noisy(1e6, $0) }])
        let rank = RankChanges(RecordHistory(store: store, clock: ManualClock(), log: RecordingLog()))
        let first = try rank(.seconds(3_600), against: .week, at: GivenHistory.now)
        let reads = store.reads
        #expect(try rank(.seconds(3_600), against: .week, at: GivenHistory.now.advanced(by: .seconds(40))) == first)
        #expect(store.reads == reads && reads > 0)
        for minutes in 6..<20 as Range<Int64> {
            _ = try rank(.seconds(minutes * 60), against: .day, at: GivenHistory.now)
        }
        #expect(store.reads > reads)
        let more = store.reads
        _ = try rank(.seconds(3_600), against: .week, at: GivenHistory.now.advanced(by: .seconds(60)))
        #expect(store.reads > more)
    }

    @Test func aHistoryThatCannotBeReadIsAFailure() {
        let store = GivenHistory([:], failing: .fake(.transient))
        let rank = RankChanges(RecordHistory(store: store, clock: ManualClock(), log: RecordingLog()))
        #expect(throws: SondeError.self) { try rank(.seconds(3_600), against: .week, at: GivenHistory.now) }
    }
}
