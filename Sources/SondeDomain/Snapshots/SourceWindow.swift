/// Everything that one source has reported within the window, as snapshots need it.
///
/// Bounded: at most ``seriesBound`` series; what is silent for longer than the window is forgotten.
public struct SourceWindow: Sendable {
    /// How many series are kept at most.
    public static let seriesBound = 4_096
    /// How many interfaces of captures are kept at most.
    public static let captureBound = 64

    /// A reading of a fact: its value, if it has a number.
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
    /// The uplinks of the last commit that reported the bytes of interfaces; nil: none did.
    public private(set) var uplinks: [String]?
    /// The network namespace.
    public private(set) var namespace: Snapshot.Namespace?
    /// How long the time is that the last peak of all uplinks together was the average of.
    public private(set) var peakStep: Nanoseconds?
    /// How the source looks at DNS.
    public private(set) var dnsView: PluginDescriptor.View?
    /// What interfaces received as a capture and as the kernel counts it.
    private(set) var received: [String: ReceivedWindow] = [:]
    /// Whether a filter leaves traffic out of the capture.
    public private(set) var isFiltered = false
    /// The interfaces that are not captured on although they should be.
    public private(set) var inactive: Set<String> = []
    /// Packets per second that captures lost.
    public private(set) var drops: SeriesWindow
    /// The heaviest of what the source ranks, by the list's name.
    private(set) var lists: [String: TopListWindow] = [:]
    /// When the source first reported something.
    public private(set) var first: MonotonicInstant?
    /// When the source last reported something.
    public private(set) var last: MonotonicInstant?
    /// How many readings found no room.
    public private(set) var refused: UInt64 = 0

    /// A source that has reported nothing.
    public init(window: Nanoseconds = .seconds(3_600)) {
        self.window = window
        drops = SeriesWindow(window: window)
    }

    /// Takes what one commit reported.
    public mutating func take(
        _ readings: [HistoryCollector.Reading],
        _ facts: [FactReading],
        _ ranked: [TopListWindow.Reading] = [],
        time: Timestamp,
        at now: MonotonicInstant
    ) {
        guard !readings.isEmpty || !facts.isEmpty || !ranked.isEmpty else { return }
        let previous = last
        first = first ?? now
        last = now
        forgetSilent(at: now)
        let steps = Self.peakSteps(facts)
        peakStep = steps[nil] ?? peakStep
        for reading in readings where hasRoom(for: reading.series) {
            series[reading.series, default: SeriesWindow(window: window)]
                .add(reading.observation, step: steps[reading.series.member], at: now)
        }
        take(facts, time, now)
        take(ranked, after: previous, at: now)
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

    /// Forgets series of lists whose things are gone.
    public mutating func forget(ranked gone: [SeriesID]) {
        for name in lists.keys {
            for series in gone { lists[name]?.forget(series) }
        }
    }

    /// Takes what history has kept of a series: points and when they ended.
    public mutating func restore(_ points: [(point: HistoryPoint, end: MonotonicInstant)], of kept: HistorySeries) {
        guard !points.isEmpty, hasRoom(for: kept) else { return }
        for (point, end) in points {
            series[kept, default: SeriesWindow(window: window)].restore(point, at: end)
        }
    }

    private mutating func take(
        _ ranked: [TopListWindow.Reading], after previous: MonotonicInstant?, at now: MonotonicInstant
    ) {
        var begun: Set<String> = []
        for reading in ranked {
            let name = reading.definition.name
            if begun.insert(name).inserted {
                lists[name, default: TopListWindow(reading, at: now)].begin(at: now, after: previous)
            }
            lists[name]?.take(reading)
        }
    }

    private mutating func hasRoom(for wanted: HistorySeries) -> Bool {
        guard series[wanted] == nil, series.count >= Self.seriesBound else { return true }
        refused &+= 1
        return false
    }

    private mutating func take(_ facts: [FactReading], _ time: Timestamp, _ now: MonotonicInstant) {
        for reading in facts {
            switch reading.fact {
            case .uplink, .peakStep, .dropReason, .dropSource, .dropCounter: continue
            case .namespace(let namespace): self.namespace = namespace
            case .dns, .serverQueries, .logQueries, .resolver: dnsView = reading.fact.view ?? dnsView
            case .received(let count): take(count, reading, now)
            case .captureFiltered: isFiltered = (reading.value ?? 0) > 0
            case .captureActive(let name):
                let isActive = (reading.value ?? 0) > 0
                if isActive {
                    inactive.remove(name)
                } else if inactive.count < Self.captureBound {
                    inactive.insert(name)
                }
            case .captureDrops:
                guard let value = reading.value else { continue }
                drops.add(HistoryObservation(.held(value, peak: nil), at: time, held: reading.held), at: now)
            }
        }
    }

    private static func peakSteps(_ facts: [FactReading]) -> [String?: Nanoseconds] {
        facts.reduce(into: [:]) { steps, reading in
            guard case .peakStep(let interface) = reading.fact, let value = reading.value, value > 0, value < 1e6 else {
                return
            }
            steps[interface] = Nanoseconds(Int64(value * 1e9))
        }
    }

    private mutating func take(_ count: ReceivedCount, _ reading: FactReading, _ now: MonotonicInstant) {
        let name = count.interface
        guard let rate = reading.value, received[name] != nil || received.count < Self.captureBound else { return }
        received[name, default: ReceivedWindow(window: window)].add(rate, count, held: reading.held, at: now)
    }

    private mutating func forgetSilent(at now: MonotonicInstant) {
        guard series.values.contains(where: { now.since($0.last) > window }) else { return }
        series = series.filter { now.since($0.value.last) <= window }
    }
}
