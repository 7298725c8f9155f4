/// One domain snapshot as a table shows it.
public struct SnapshotView: Hashable, Sendable {
    /// A value now, on average and at its highest; nil is not known.
    public struct Values: Hashable, Sendable {
        /// The newest value.
        public var current: Double?
        /// The average over the window.
        public var average: Double?
        /// The largest value in the window.
        public var peak: Double?
        /// How long the time was that the peak is the average of, in seconds.
        public var peakStep: Double?

        /// What is known of a value.
        public init(
            current: Double? = nil, average: Double? = nil, peak: Double? = nil, peakStep: Double? = nil
        ) {
            (self.current, self.average, self.peak) = (current, average, peak)
            self.peakStep = peakStep
        }

        /// Whether anything but 0 is known.
        var hasMoved: Bool {
            [current, average, peak].contains { ($0 ?? 0) != 0 }
        }

        /// Whether it was 0 for as long as it is known.
        var isZero: Bool { peak == 0 && !hasMoved }
    }

    /// One interface, or the sum of several; bytes per second.
    public struct Interface: Hashable, Sendable {
        /// The name, without anything a terminal would act on.
        public var name: String
        /// What came in.
        public var receive: Values
        /// What went out.
        public var transmit: Values
        /// Whether averages and peaks cover the window but for a little.
        public var isCovered = false
    }

    /// One transport and state.
    public struct ConnectionGroup: Hashable, Sendable {
        /// The transport, like `tcp`.
        public var transport: String
        /// The state, like `established`.
        public var state: String
        /// How many.
        public var count: Values
        /// Whether average and peak cover the window but for a little.
        public var isCovered = false

        /// Whether it was 0 for all of the window.
        public var isQuiet: Bool { isCovered && count.isZero }
    }

    /// What one source reports of DNS, or the best of several.
    public struct DNSPart: Hashable, Sendable {
        /// `wire`, `log` or `joined`.
        public var name: String
        /// Queries per second.
        public var rate: Values
        /// Queries in the window.
        public var queries: Double?
        /// Queries that failed in the window.
        public var failures: Double?
        /// How long 95 % of the answers did not take longer than, in seconds.
        public var latency: Double?
    }

    /// A reason for which packets were dropped.
    public struct Drop: Hashable, Sendable {
        /// The reason; nil: what is counted has none.
        public var reason: String?
        /// Packets in the window.
        public var packets: Double?
        /// What counts them without a reason, with how many.
        public var counters: [String]
    }

    /// What it contains.
    public enum Content: Hashable, Sendable {
        /// Busiest first, those that never moved last; a sum when the snapshot has one.
        case bandwidth([Interface], total: Interface?)
        /// In the order of the document.
        case connections([ConnectionGroup])
        /// What is known of DNS by source, and joined.
        case dns([DNSPart])
        /// The most frequent reasons first, then what is counted and has none.
        case drops([Drop])
    }

    /// The snapshot's domain.
    public let domain: String
    /// The source it was made from.
    public let source: String
    /// What average and peak look back over, `1h`.
    public let window: String
    /// What it contains.
    public let content: Content
}

extension SnapshotView.Interface {
    /// Busiest first, in an order that holds still: what decides is the power of two of the average, then the name, so
    /// that neighbours change places only when one doubles.
    static func busiestFirst(_ interfaces: [Self]) -> [Self] {
        let ranked = interfaces.map { (rank: $0.rank, interface: $0) }
        return ranked.sorted { left, right in
            left.rank == right.rank
                ? left.interface.name.utf8.lexicographicallyPrecedes(right.interface.name.utf8) : left.rank > right.rank
        }
        .map(\.interface)
    }

    /// Whether it carried anything within the window, as far as is known.
    var hasMoved: Bool { receive.hasMoved || transmit.hasMoved }

    /// Whether it carried nothing for all of the window.
    public var isQuiet: Bool {
        let known = [receive, transmit].filter { $0 != SnapshotView.Values() }
        return isCovered && !known.isEmpty && known.allSatisfy(\.isZero)
    }

    private var rank: Int {
        guard hasMoved else { return .min }
        let rate = (receive.average ?? receive.current ?? 0) + (transmit.average ?? transmit.current ?? 0)
        guard rate.isFinite, rate >= 1 else { return -1 }
        return Int(rate.exponent)
    }
}
