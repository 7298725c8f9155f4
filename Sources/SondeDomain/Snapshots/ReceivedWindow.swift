/// What one interface received within the window by both counts, of the same stretches of time.
struct ReceivedWindow: Sendable {
    private static let longestHeaders = 128.0

    private var bytes: [ReceivedCount.Counter: WindowStatistics] = [:]
    private var packets: [ReceivedCount.Counter: WindowStatistics] = [:]
    private let window: Nanoseconds

    init(window: Nanoseconds) {
        self.window = window
    }

    /// Takes what one count has grown by in a second, for so long.
    mutating func add(_ rate: Double, _ count: ReceivedCount, held: Nanoseconds, at now: MonotonicInstant) {
        let empty = WindowStatistics(window: window)
        switch count.unit {
        case .bytes: bytes[count.counter, default: empty].add(rate, held: held, at: now)
        case .packets: packets[count.counter, default: empty].add(rate, held: held, at: now)
        }
    }

    /// The ratio of both counts; nil: nothing was received in the window.
    func totals(at now: MonotonicInstant) -> Totals? {
        guard let captured = bytes[.capture]?.total(at: now), let counted = bytes[.kernel]?.total(at: now) else {
            return nil
        }
        return Totals(
            captured: captured, counted: counted, capturedPackets: packets[.capture]?.total(at: now) ?? 0,
            countedPackets: packets[.kernel]?.total(at: now) ?? 0)
    }

    /// What several interfaces received.
    struct Totals: Hashable, Sendable {
        var captured = 0.0
        var counted = 0.0
        var capturedPackets = 0.0
        var countedPackets = 0.0

        static func + (left: Totals, right: Totals) -> Totals {
            Totals(
                captured: left.captured + right.captured, counted: left.counted + right.counted,
                capturedPackets: left.capturedPackets + right.capturedPackets,
                countedPackets: left.countedPackets + right.countedPackets)
        }

        /// Whether what is missing is what packets lose that are put together before they are captured: their headers.
        var isAggregated: Bool {
            let packets = countedPackets - capturedPackets
            return packets > 0 && counted > captured && counted - captured <= packets * ReceivedWindow.longestHeaders
        }
    }
}
