internal import SondeDomain
internal import SondeEngine

extension HistoryStoreContract {
    func keepsWhatWasAdded() throws {
        let store = try make(9)
        let added = steps([1, 2, 3])
        _ = try store.append([addition(added)], at: time(16))
        try expect(try all(.hour, store), added.steps, "the steps")
        try expect(try all(.sixHours, store), [], "steps that are not over")
        let part = try store.steps(of: first, in: .hour, (step(0) + 1)..<(step(0) + 2)).steps
        try expect(part.map(\.index), [step(0) + 1], "a part of them")
        try expect(try store.steps(of: first, in: .hour, 5..<5).steps, [], "an empty range")
    }

    func mergesWhatComesLater() throws {
        let store = try make(9)
        _ = try store.append([addition(steps([1]))], at: time(3))
        _ = try store.append([addition(steps([4]))], at: time(6))
        let merged = HistoryPoint(1, weight: 5_000_000, peak: 2).merging(HistoryPoint(4, weight: 5_000_000, peak: 5))
        try expect(try all(.hour, store).map(\.point), [merged], "the step")
    }

    func makesStepsThatAreOver() throws {
        let store = try make(9)
        let values = (0..<720).map { Double($0 % 17) }
        let added = steps(values)
        for part in stride(from: 0, to: 720, by: 12) {
            let piece = HistorySteps(ascending: Array(added.steps[part..<(part + 12)]))
            _ = try store.append([addition(piece)], at: time(Int64(part + 12) * 5))
        }
        for tier in HistoryTier.allCases.dropFirst() {
            let group = tier.step.value / HistoryTier.hour.step.value
            try expect(try all(tier, store).map(\.index), added.grouped(by: group).steps.map(\.index), tier.name)
        }
        let hour = try all(.month, store).first?.point
        try expect(hour?.weight, 3_600_000_000, "the weight of an hour")
        try expect(hour?.maximum, 16, "its maximum")
        try expect(hour?.peak, 17, "its peak")
        try expect(hour?.last, Double(719 % 17), "its last value")
        let average = values.reduce(0, +) / 720
        guard let seen = hour?.average, abs(seen - average) < 1e-9 else {
            throw Violation("the average of an hour is \(hour?.average ?? -1) and not \(average)")
        }
    }

    func makesTheOpenStepOfASilentSeries() throws {
        let store = try make(9)
        let other = HistorySeries(.bandwidthTransmit, source: "kernel")
        _ = try store.append([addition(steps([7]))], at: time(6))
        try expect(try all(.sixHours, store), [], "an open step")
        _ = try store.append([addition(steps([1], from: 60), to: other)], at: time(66))
        try expect(try all(.sixHours, store).map(\.point.average), [7], "the step that is over")
        _ = try store.append([addition(steps([1], from: 4_000), to: other)], at: time(4_010))
        try expect(try all(.month, store).map(\.point.average), [7], "the hour that is over")
    }

    func rebuildsChangedSteps() throws {
        let store = try make(9)
        _ = try store.append([addition(steps([1, 1, 1, 1, 1, 1]))], at: time(31))
        _ = try store.append([addition(steps([9], from: 10))], at: time(40))
        let step = try all(.sixHours, store)
        try expect(step.map(\.point.maximum), [9], "the maximum of the step")
        try expect(step.map(\.point.weight), [35_000_000], "its weight")
    }

    func forgetsTheOldestOfATier() throws {
        let store = try make(9)
        for hour in 0..<3 {
            let values = Array(repeating: Double(hour + 1), count: 720)
            _ = try store.append(
                [addition(steps(values, from: Int64(hour) * 3_600))], at: time(Int64(hour + 1) * 3_600))
        }
        let hour = try all(.hour, store)
        guard (720...740).contains(hour.count) else { throw Violation("\(hour.count) steps are kept") }
        try expect(hour.last?.index, step(3 * 3_600) - 1, "the newest step")
        try expect(try all(.month, store).map(\.point.average), [1, 2, 3], "the hours")
    }
}
