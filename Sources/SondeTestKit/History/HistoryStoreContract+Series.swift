internal import SondeDomain
internal import SondeEngine

extension HistoryStoreContract {
    func keepsSeriesApart() throws {
        let store = try make(9)
        let series = [
            first, HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel"),
            HistorySeries(.bandwidthReceive, source: "other"), HistorySeries(.bandwidthTransmit, source: "kernel"),
        ]
        let additions = series.enumerated().map { addition(steps([Double($0.offset)]), to: $0.element) }
        _ = try store.append(additions, at: time(6))
        for (number, series) in series.enumerated() {
            let found = try all(.hour, store, of: series).map(\.point.last)
            try expect(found, [Double(number)], "series \(number)")
        }
        try expect(try all(.hour, store, of: HistorySeries(.agentMemory, source: "agent")), [], "an unknown series")
    }

    func refusesWhatFindsNoRoom() throws {
        let store = try make(9)
        let names = (0..<12).map { HistorySeries(.connectionsTCP, member: "state\($0)", source: "kernel") }
        let receipt = try store.append(names.map { addition(steps([1]), to: $0) }, at: time(6))
        try expect(receipt.refused.count, 3, "how many are refused")
        try expect(receipt.kept.count, 9, "how many are kept")
        for name in receipt.refused { try expect(try all(.hour, store, of: name), [], "what was refused") }
        for name in receipt.kept { try expect(try all(.hour, store, of: name).count, 1, "what was kept") }
        let later = try store.append(names.map { addition(steps([2]), to: $0) }, at: time(7))
        try expect(later.kept, receipt.kept, "who has room later")
    }

    func mergesDistributions() throws {
        let store = try make(9)
        let latency = HistorySeries(.dnsLatency, source: "wire")
        for number in 0..<7 {
            var counts = [UInt32](repeating: 0, count: LatencyCounts.bounds.count + 1)
            counts[number] = UInt32(number) + 1
            var point = HistoryPoint(0.001, weight: UInt64(number) + 1)
            point.latencies = LatencyCounts(counts: counts)
            var steps = HistorySteps()
            steps.set(point, at: step(Int64(number) * 5))
            _ = try store.append([addition(steps, to: latency)], at: time(Int64(number) * 5 + 5))
        }
        let step = try all(.sixHours, store, of: latency).first?.point
        try expect(step?.latencies?.counts.prefix(8).map { $0 }, [1, 2, 3, 4, 5, 6, 0, 0], "the counts")
        try expect(step?.weight, 21, "the events")
    }

    func returnsCommitAndSeries() throws {
        let store = try make(9)
        try expect(try store.overview(), HistoryOverview(series: [], lastCommit: nil), "an empty history")
        let further = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")
        let additions = [addition(steps([1])), HistoryAddition(further, rank: .further, steps([1]))]
        _ = try store.append(additions, at: time(6))
        _ = try store.append([addition(steps([1]))], at: time(8))
        let overview = try store.overview()
        try expect(overview.lastCommit, time(8), "the last commit")
        try expect(overview.series.map(\.series), [first, further].sorted(), "the series")
        try expect(Set(overview.series.map(\.last)), [time(6), time(8)], "when each was written to")
        try expect(Set(overview.series.map(\.rank)), [.standard, .further], "their ranks")
    }

    func agreesWithTheRawSteps() throws {
        let store = try make(9)
        var random = SeededGenerator(seed: 77)
        var raw = HistorySteps()
        var now: Int64 = 0
        for _ in 0..<400 {
            let begin = now
            now += Int64.random(in: 1...240, using: &random)
            var added = HistorySteps()
            for second in begin..<now where Bool.random(using: &random) && second % 3 == 0 {
                let value = Double(Int.random(in: 0...1_000, using: &random))
                added.merge(HistoryPoint(value, weight: 1_000_000, peak: value * 2), at: step(second))
            }
            raw.merge(added)
            _ = try store.append([addition(added)], at: time(now))
        }
        for tier in HistoryTier.allCases {
            let group = tier.step.value / HistoryTier.hour.step.value
            let over = raw.grouped(by: group).steps.filter { tier.end(of: $0.index) <= time(now) || tier == .hour }
            let seen = try all(tier, store)
            let expected = over.suffix(seen.count)
            guard seen.count == over.count || Int64(seen.count) >= tier.stepCount * 2 / 3 else {
                throw Violation("\(tier.name) has \(seen.count) of \(over.count) steps")
            }
            try expect(seen.map(\.index), expected.map(\.index), "the steps of \(tier.name)")
            for (left, right) in zip(seen, expected) { try compare(left.point, right.point, tier.name) }
        }
    }

    private func compare(_ seen: HistoryPoint, _ expected: HistoryPoint, _ what: String) throws {
        guard abs(seen.average - expected.average) <= 1e-9 * max(1, abs(expected.average)) else {
            throw Violation("an average of \(what) is \(seen.average) and not \(expected.average)")
        }
        var seen = seen
        seen.average = expected.average
        try expect(seen, expected, "a step of \(what)")
    }
}
