/// One step of a series in one tier.
public struct HistoryStep: Hashable, Sendable {
    /// Which step since 1970.
    public var index: Int64
    /// What is kept of it.
    public var point: HistoryPoint

    /// A step.
    public init(_ index: Int64, _ point: HistoryPoint) {
        self.index = index
        self.point = point
    }
}

/// Steps of a series in one tier, in order and each at most once; steps without a reading are absent.
public struct HistorySteps: Hashable, Sendable {
    /// The steps, ascending.
    public private(set) var steps: [HistoryStep] = []

    /// No step.
    public init() {}

    /// Steps that ascend already; any that do not are left out.
    public init(ascending steps: [HistoryStep]) {
        self.steps.reserveCapacity(steps.count)
        for step in steps where self.steps.last.map({ $0.index < step.index }) ?? true { self.steps.append(step) }
    }

    /// How many steps there are.
    public var count: Int { steps.count }

    /// The point of a step, or nil.
    public subscript(index: Int64) -> HistoryPoint? {
        let place = place(of: index)
        return place < steps.count && steps[place].index == index ? steps[place].point : nil
    }

    /// The steps within a range.
    public subscript(range: Range<Int64>) -> ArraySlice<HistoryStep> {
        let first = place(of: range.lowerBound)
        return steps[first..<max(first, place(of: range.upperBound))]
    }

    /// Adds to a step what came after what is there already.
    public mutating func merge(_ point: HistoryPoint, at index: Int64) {
        let place = place(of: index)
        if place < steps.count, steps[place].index == index {
            steps[place].point.merge(point)
        } else {
            steps.insert(HistoryStep(index, point), at: place)
        }
    }

    /// Puts a point in the place of what is there.
    public mutating func set(_ point: HistoryPoint, at index: Int64) {
        let place = place(of: index)
        if place < steps.count, steps[place].index == index {
            steps[place].point = point
        } else {
            steps.insert(HistoryStep(index, point), at: place)
        }
    }

    /// Adds what came after, step by step.
    public mutating func merge(_ later: HistorySteps) {
        for step in later.steps { merge(step.point, at: step.index) }
    }

    /// Forgets the oldest; how many they were.
    public mutating func keepNewest(_ bound: Int) -> Int {
        let excess = max(0, steps.count - max(0, bound))
        steps.removeFirst(excess)
        return excess
    }

    /// The steps within one longer step as one; nil: there are none.
    public func merged(_ range: Range<Int64>) -> HistoryPoint? {
        let parts = self[range]
        guard var point = parts.first?.point else { return nil }
        for part in parts.dropFirst() { point.merge(part.point) }
        return point
    }

    /// Every `group` steps as one, beginning with those whose number is a multiple of it.
    public func grouped(by group: Int64) -> HistorySteps {
        guard group > 1 else { return self }
        var result = HistorySteps()
        for step in steps {
            // Steps are not negative and ascend, so the last group is the one to continue.
            let index = step.index / group
            if result.steps.last?.index == index {
                result.steps[result.steps.count - 1].point.merge(step.point)
            } else {
                result.steps.append(HistoryStep(index, step.point))
            }
        }
        return result
    }

    /// The first place whose step is not before `index`; new steps come at the end, so it is looked at first.
    private func place(of index: Int64) -> Int {
        guard let last = steps.last, last.index >= index else { return steps.count }
        var low = 0
        var high = steps.count - 1
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
