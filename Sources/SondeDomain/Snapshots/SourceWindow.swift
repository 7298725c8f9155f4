/// Everything that one source has told within the window, as snapshots need it.
///
/// Bounded: at most ``seriesBound`` series; what is silent for longer than the window is forgotten.
public struct SourceWindow: Sendable {
    /// How many series are kept at most.
    public static let seriesBound = 4_096

    /// For how long the listening sockets of a walk are believed: walks come at least once a minute.
    private static let walkBound = Nanoseconds.seconds(150)

    /// A reading of a fact: what it came to, if it has a number.
    public struct FactReading: Hashable, Sendable {
        /// The fact.
        public var fact: SnapshotFact
        /// The value, or what a counter has grown by in a second.
        public var value: Double?
        /// How long a counter's growth took.
        public var held: Nanoseconds

        /// A reading.
        public init(_ fact: SnapshotFact, value: Double?, held: Nanoseconds) {
            self.fact = fact
            self.value = value
            self.held = held
        }
    }

    /// What averages, peaks and counts look back over.
    public let window: Nanoseconds
    /// The series by what they are.
    public private(set) var series: [HistorySeries: SeriesWindow] = [:]
    /// The uplinks of the last commit that told the bytes of interfaces; nil: none did.
    public private(set) var uplinks: [String]?
    /// The network namespace.
    public private(set) var namespace: Snapshot.Namespace?
    /// How long the intervals are that peaks are averages over.
    public private(set) var peakStep: Nanoseconds?
    /// How the source looks at DNS.
    public private(set) var dnsView: SnapshotFact.DNSView?
    /// Bytes per second of captures, by interface.
    public private(set) var captured: [String: SeriesWindow] = [:]
    /// Packets per second that captures lost.
    public private(set) var drops: SeriesWindow
    /// When the source last told something.
    public private(set) var last: MonotonicInstant?
    /// How many readings found no room.
    public private(set) var refused: UInt64 = 0

    /// A source that has told nothing.
    public init(window: Nanoseconds = .seconds(3_600)) {
        self.window = window
        drops = SeriesWindow(window: window)
    }

    /// Takes what one commit told.
    public mutating func take(
        _ readings: [HistoryCollector.Reading],
        _ facts: [FactReading],
        time: Timestamp,
        at now: MonotonicInstant
    ) {
        guard !readings.isEmpty || !facts.isEmpty else { return }
        last = now
        forgetSilent(at: now)
        for reading in readings + connectionTotal(readings, time, at: now) {
            guard series[reading.series] != nil || series.count < Self.seriesBound else {
                refused &+= 1
                continue
            }
            series[reading.series, default: SeriesWindow(window: window)].add(reading.observation, at: now)
        }
        take(facts, time, now)
        let hasInterfaces = readings.contains { $0.series.metric == .bandwidthReceive }
        if hasInterfaces {
            let names = facts.compactMap { reading -> String? in
                guard case .uplink(let name) = reading.fact else { return nil }
                return name
            }
            uplinks = names.isEmpty ? nil : names.sorted()
        }
    }

    /// Forgets a series whose thing is gone.
    public mutating func forget(_ gone: HistorySeries) {
        series[gone] = nil
    }

    /// What a commit's TCP sockets come to, as one more reading.
    private func connectionTotal(
        _ readings: [HistoryCollector.Reading],
        _ time: Timestamp,
        at now: MonotonicInstant
    ) -> [HistoryCollector.Reading] {
        var counts: [String: Double] = [:]
        var sample: HistoryCollector.Reading?
        for reading in readings where reading.series.metric == .connectionsTCP {
            guard let member = reading.series.member, case .held(let value, _) = reading.observation.value else {
                continue
            }
            counts[member] = value
            sample = reading
        }
        guard var total = sample else { return [] }
        let listen = HistorySeries(.connectionsTCP, member: "listen", source: total.series.source)
        let listening = series[listen]?.current(at: now, within: Self.walkBound)
        guard let count = ConnectionTotals.total(of: counts, listening: listening) else { return [] }
        total.series = ConnectionTotals.series(total.series.source)
        total.observation.value = .held(count, peak: nil)
        return [total]
    }

    private mutating func take(_ facts: [FactReading], _ time: Timestamp, _ now: MonotonicInstant) {
        for reading in facts {
            switch reading.fact {
            case .uplink: continue
            case .namespace(let namespace): self.namespace = namespace
            case .peakStep: peakStep = reading.value.flatMap { $0 > 0 && $0 < 1e6 ? Nanoseconds(Int64($0 * 1e9)) : nil }
            case .dns(let view): dnsView = view
            case .captured(let name):
                guard let value = reading.value, captured[name] != nil || captured.count < 64 else { continue }
                let observation = HistoryObservation(.held(value, peak: nil), at: time, held: reading.held)
                captured[name, default: SeriesWindow(window: window)].add(observation, at: now)
            case .captureDrops:
                guard let value = reading.value else { continue }
                drops.add(HistoryObservation(.held(value, peak: nil), at: time, held: reading.held), at: now)
            }
        }
    }

    private mutating func forgetSilent(at now: MonotonicInstant) {
        guard series.values.contains(where: { now.since($0.last) > window }) else { return }
        series = series.filter { now.since($0.value.last) <= window }
        captured = captured.filter { now.since($0.value.last) <= window }
    }
}
