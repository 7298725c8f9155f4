/// Decides how many saving steps the agent takes to stay within its limits.
///
/// It reads no clock and takes no step: it is given what is used, every few seconds, and which levels make a difference. A level
/// is taken where four fifths of a limit are used, two where it is half as much again, three where it is three times as much, and taken
/// back one at a time once everything was well below the limits for a while, which grows when a level that was taken back is needed again soon. What is not known
/// neither takes a level nor takes one back.
public struct LimitController: Hashable, Sendable {
    /// The limit that is reached.
    public enum Cause: String, Hashable, Sendable {
        /// Processor time.
        case cpu
        /// Memory.
        case memory
    }

    /// Another level to go to.
    public struct Change: Hashable, Sendable {
        /// The level.
        public let level: Int
        /// The limit that is reached; nil: none, a level is taken back.
        public let cause: Cause?
    }

    /// Over which span processor time is averaged.
    public static let span = Nanoseconds.seconds(10)
    /// The least time from one level to a further one, so that the first can show what it saves.
    public static let settling = Nanoseconds.seconds(4)
    /// How long everything must have been below ``calmShare`` of its limit before a level is taken back, at first.
    public static let patience = Nanoseconds.seconds(20)
    /// And at most, after levels were needed again.
    public static let longestPatience = Nanoseconds.seconds(1_200)
    /// The share of a limit from which on a level is taken.
    public static let fullShare = 0.8
    /// The share of a limit from which on two are.
    public static let farShare = 1.5
    /// And three.
    public static let farthestShare = 3.0
    /// The share of a limit below which there is room for what a level has saved.
    public static let calmShare = 0.6
    /// How long nothing can be saved any more before that is a failure of its own.
    public static let tolerance = Nanoseconds.seconds(30)

    private let limits: ResourceLimits
    private var readings: [ResourceUsage] = []
    private var changed: MonotonicInstant?
    private var calmSince: MonotonicInstant?
    private var takenBack: MonotonicInstant?
    private var exceededSince: MonotonicInstant?
    private var latest: Double?
    private var patience = LimitController.patience
    /// The level in force; 0: nothing is saved.
    public private(set) var level = 0

    /// A controller that saves nothing yet.
    public init(_ limits: ResourceLimits) {
        self.limits = limits
    }

    /// The share of one processor used over the last seconds; nil: not known.
    public var processors: Double? { average(overAtLeast: Self.span) ?? latest }

    private func average(overAtLeast shortest: Nanoseconds) -> Double? {
        guard let last = readings.last, let seconds = last.processorSeconds,
            let first = readings.first(where: { $0.processorSeconds != nil }), let before = first.processorSeconds
        else { return nil }
        let elapsed = last.instant.since(first.instant)
        // Too short a time would make a burst of any kind a flood.
        return elapsed > .zero ? max(0, seconds - before) / max(elapsed, shortest).seconds : nil
    }

    /// The memory at the last reading; nil: not known.
    public var memory: UInt64? { readings.last?.memory }

    /// Since when a limit is exceeded although there is nothing left to save; nil: it is not.
    public var beyondSavingSince: MonotonicInstant? { exceededSince }

    /// Takes a reading and returns the level to go to; nil: the level is right, or it is too early to say.
    ///
    /// `ladder` has the levels that make a difference, in ascending order.
    public mutating func observe(_ usage: ResourceUsage, ladder: [Int]) -> Change? {
        add(usage)
        noteExcess(at: usage.instant, ladder)
        guard let cause = full else { return takeBack(at: usage.instant, ladder) }
        calmSince = nil
        if let changed, usage.instant.since(changed) < Self.settling { return nil }
        return ladder.filter { $0 > level }.prefix(steps).last.map { Change(level: $0, cause: cause) }
    }

    /// How many levels to take at once.
    private var steps: Int {
        // What was used before the last level, or before a flood began, would hide how much is used now.
        let now = max(processorUse(overAtLeast: Self.settling) ?? 0, memoryUse ?? 0)
        return now > Self.farthestShare ? 3 : now > Self.farShare ? 2 : 1
    }

    /// A level that was asked for is in force; `usage` is the usage now.
    public mutating func reach(_ level: Int, _ usage: ResourceUsage) {
        let now = usage.instant
        if level > self.level {
            // It was taken back too early.
            if let takenBack, now.since(takenBack) < Nanoseconds(patience.value * 3) {
                patience = min(Nanoseconds(patience.value * 2), Self.longestPatience)
            }
        } else {
            takenBack = now
        }
        self.level = level
        changed = now
        calmSince = nil
        exceededSince = nil
        // What the change itself has cost is not the cost of the level.
        latest = average(overAtLeast: Self.span)
        readings = [usage]
    }

    private mutating func add(_ usage: ResourceUsage) {
        readings.append(usage)
        if usage.processorSeconds == nil { latest = nil }
        let cut = usage.instant.advanced(by: Nanoseconds(-Self.span.value))
        // One from before the span stays, so that the whole of it is covered.
        while readings.count > 2, readings[1].instant <= cut { readings.removeFirst() }
    }

    /// The use of the limit that is used most; 1 is the limit.
    private var use: Double { max(processorUse ?? 0, memoryUse ?? 0) }

    private var processorUse: Double? { processorUse(overAtLeast: Self.span) }

    private func processorUse(overAtLeast shortest: Nanoseconds) -> Double? {
        guard let limit = limits.processors, limit > 0 else { return nil }
        return average(overAtLeast: shortest).map { $0 / limit }
    }

    private var memoryUse: Double? {
        guard let limit = limits.memory, limit > 0 else { return nil }
        return memory.map { Double($0) / Double(limit) }
    }

    private var full: Cause? {
        if let use = processorUse, use > Self.fullShare { return .cpu }
        if let use = memoryUse, use > Self.fullShare { return .memory }
        return nil
    }

    private mutating func noteExcess(at now: MonotonicInstant, _ ladder: [Int]) {
        guard use > 1, ladder.allSatisfy({ $0 <= level }) else {
            exceededSince = nil
            return
        }
        exceededSince = exceededSince ?? now
    }

    /// Whether all that is limited is known, over the whole span, and well below its limit.
    private var isCalm: Bool {
        guard let first = readings.first, let last = readings.last else { return false }
        if limits.processors != nil {
            guard last.instant.since(first.instant) >= Self.span, let use = processorUse, use < Self.calmShare else {
                return false
            }
        }
        guard limits.memory != nil else { return true }
        return memoryUse.map { $0 < Self.calmShare } ?? false
    }

    private mutating func takeBack(at now: MonotonicInstant, _ ladder: [Int]) -> Change? {
        forgetRelapses(at: now)
        guard level > 0, isCalm else {
            calmSince = nil
            return nil
        }
        let since = calmSince ?? now
        calmSince = since
        guard now.since(since) >= patience else { return nil }
        return Change(level: ladder.last { $0 < level } ?? 0, cause: nil)
    }

    /// A level that was taken back and is not needed for long was taken back rightly.
    private mutating func forgetRelapses(at now: MonotonicInstant) {
        guard level == 0, let takenBack, now.since(takenBack) > Self.longestPatience else { return }
        patience = Self.patience
    }
}
