public import SondeDomain

/// The newest value of each series: what a scrape answers with, or a file for node_exporter's textfile collector.
///
/// Bounded; a series that has ended, or was silent for ``staleness``, is left out. Not thread-safe.
public struct PrometheusPage {
    struct Sample {
        /// The last series that reported it: two sources may have equal ones.
        var owner: SeriesID
        let family: String
        /// Where its labels are in ``arena``, without braces.
        var labels: Range<Int>
        var value: SampleValue
        var time: Timestamp
        var start: Timestamp?
        var taken: MonotonicInstant
        /// How long it stays without a new point.
        let staleness: Nanoseconds
    }

    struct Family {
        let name: PrometheusName
        /// The metric's name as the agent has it.
        let metric: String
        /// One sentence, or the name and unit that the sources use.
        let help: String
        /// What its series are; a gauge where not all of them are info metrics.
        var kind: MetricKind
        /// Indices into ``samples``, sorted by the bytes of their labels.
        var samples: [Int] = []
        /// Its name and type in OpenMetrics.
        var openMetrics = OpenMetricsFamily(name: "", type: "")
    }

    /// How many series are kept at most.
    public static let bound = 50_000
    // Below this the arena is not worth compacting.
    private static let smallArena = 64 << 10
    // As few places without a sample are not worth closing up.
    private static let mostUnused = 256

    // Of info metrics there is a point once a minute.
    private static let infoStaleness = Nanoseconds(2 * MetricKind.infoPeriod.value)

    /// For how long a series stays without a new point.
    public let staleness: Nanoseconds
    /// How many series there are.
    public private(set) var count = 0
    /// Sorted by the bytes of their names.
    private(set) var families: [Family] = []
    private(set) var samples: [Sample?] = []
    private(set) var arena = ByteBuffer()
    private var unused: [Int] = []
    private var places: [SeriesID: Int] = [:]
    private var resource = Resource()
    private var labelBytes = 0
    private var hasNewFamilies = false

    /// An empty page; by default a series stays for as long as Prometheus shows one that is not scraped any more.
    public init(staleness: Nanoseconds = .seconds(300)) {
        self.staleness = staleness
    }

    /// Takes the points of a batch, the last one of a series in its place; returns how many of them cannot be expressed, or
    /// have no room.
    public mutating func take(_ batch: Batch, at now: MonotonicInstant) -> Int {
        if batch.resource != resource {
            self = PrometheusPage(staleness: staleness)
            resource = batch.resource
        }
        var leftOut = 0
        for entry in batch.entries where !take(entry, batch.series, now) { leftOut += 1 }
        forgetSilent(at: now)
        compact()
        closeGaps()
        if hasNewFamilies { nameFamilies() }
        return leftOut
    }

    /// Removes the series that were silent for too long.
    public mutating func forgetSilent(at now: MonotonicInstant) {
        for index in samples.indices {
            if let sample = samples[index], now.since(sample.taken) > sample.staleness { remove(index) }
        }
    }

    private mutating func take(_ entry: Batch.Entry, _ series: [Series], _ now: MonotonicInstant) -> Bool {
        guard series.indices.contains(entry.seriesIndex) else { return false }
        let series = series[entry.seriesIndex]
        if entry.point.value == .ended {
            if let index = place(known: series.id) { remove(index) }
            return true
        }
        guard PrometheusName.MetricType(series.kind).canSay(entry.point.value),
            let index = place(known: series.id) ?? place(adding: series, entry.point, now)
        else { return false }
        samples[index]?.value = entry.point.value
        samples[index]?.time = entry.point.time
        samples[index]?.start = entry.point.start
        samples[index]?.taken = now
        return true
    }

    private func place(known series: SeriesID) -> Int? {
        guard let index = places[series], samples[index]?.owner == series else { return nil }
        return index
    }

    /// The place of a series that has none, or nil where it cannot be expressed or has no room.
    private mutating func place(adding series: Series, _ point: MetricPoint, _ now: MonotonicInstant) -> Int? {
        guard let spelled = PrometheusSeries(series, resource), let family = family(spelled.name, series) else {
            return nil
        }
        let start = arena.count
        PrometheusLabels.append(spelled.labels, to: &arena)
        let labels = start..<arena.count
        let (place, index) = find(labels, in: families[family])
        if let index {
            arena.truncate(to: start)
            if let before = samples[index]?.owner { places[before] = nil }
            samples[index]?.owner = series.id
            places[series.id] = index
            return index
        }
        guard count < Self.bound else {
            arena.truncate(to: start)
            if families[family].samples.isEmpty { families.remove(at: family) }
            return nil
        }
        let sample = Sample(
            owner: series.id, family: spelled.name.family, labels: labels, value: point.value, time: point.time,
            start: point.start, taken: now,
            staleness: series.kind == .info ? max(staleness, Self.infoStaleness) : staleness)
        let added = add(sample)
        families[family].samples.insert(added, at: place)
        if series.kind != families[family].kind { families[family].kind = .gauge }
        return added
    }

    private mutating func add(_ sample: Sample) -> Int {
        count += 1
        labelBytes += sample.labels.count
        let index = unused.popLast() ?? samples.count
        if index == samples.count { samples.append(sample) } else { samples[index] = sample }
        places[sample.owner] = index
        return index
    }

    /// The index of a family, which is added; nil where one of the same name has another type.
    private mutating func family(_ name: PrometheusName, _ series: Series) -> Int? {
        let index = place(ofFamily: name.family)
        if index < families.count, families[index].name.family == name.family {
            return families[index].name.type == name.type ? index : nil
        }
        guard !clashesWithHistogram(name) else { return nil }
        let origin = series.unit.isEmpty ? series.name : "\(series.name) in \(series.unit)"
        let help = series.meaning.isEmpty ? origin : series.meaning
        families.insert(Family(name: name, metric: series.name, help: help, kind: series.kind), at: index)
        hasNewFamilies = true
        return index
    }

    /// Whether samples of another family would have the name of this one, or the other way round: a histogram's end in these.
    private func clashesWithHistogram(_ name: PrometheusName) -> Bool {
        ["_bucket", "_count", "_sum"].contains { suffix in
            if name.type == .histogram, family(named: name.family + suffix) != nil { return true }
            guard name.family.hasSuffix(suffix) else { return false }
            return family(named: String(name.family.dropLast(suffix.utf8.count)))?.name.type == .histogram
        }
    }

    private func family(named name: String) -> Family? {
        let place = place(ofFamily: name)
        return place < families.count && families[place].name.family == name ? families[place] : nil
    }

    /// Where a family is, or belongs.
    private func place(ofFamily name: String) -> Int {
        families.firstPlace { !$0.name.family.utf8.lexicographicallyPrecedes(name.utf8) }
    }

    /// Where labels are, or belong, in a family, and the sample that has them.
    private func find(_ labels: Range<Int>, in family: Family) -> (place: Int, index: Int?) {
        let wanted = arena.bytes[labels]
        let place = family.samples.firstPlace { index in
            guard let sample = samples[index] else { return true }
            return !arena.bytes[sample.labels].lexicographicallyPrecedes(wanted)
        }
        guard place < family.samples.count, let found = samples[family.samples[place]],
            arena.bytes[found.labels] == wanted
        else { return (place, nil) }
        return (place, family.samples[place])
    }

    private mutating func remove(_ index: Int) {
        guard let sample = samples[index] else { return }
        let place = place(ofFamily: sample.family)
        if place < families.count, families[place].name.family == sample.family {
            families[place].samples.removeAll { $0 == index }
            if families[place].samples.isEmpty {
                families.remove(at: place)
                hasNewFamilies = true
            }
        }
        samples[index] = nil
        unused.append(index)
        places[sample.owner] = nil
        count -= 1
        labelBytes -= sample.labels.count
    }

    /// Frees the labels of series that are gone, once they are the greater part.
    private mutating func compact() {
        guard arena.count > Self.smallArena, arena.count > 2 * labelBytes else { return }
        var compacted = ByteBuffer()
        compacted.reserveCapacity(labelBytes)
        for index in samples.indices {
            guard let labels = samples[index]?.labels else { continue }
            let start = compacted.count
            compacted.append(arena, from: labels.lowerBound, to: labels.upperBound)
            samples[index]?.labels = start..<compacted.count
        }
        arena = compacted
    }

    /// Gives back the places of series that are gone, once they are many: a burst would keep its memory.
    private mutating func closeGaps() {
        guard unused.count > Self.mostUnused, unused.count > count / 4 else { return }
        var closed: [Sample?] = []
        closed.reserveCapacity(count)
        var moved = [Int](repeating: 0, count: samples.count)
        places = Dictionary(minimumCapacity: count)
        for (index, sample) in samples.enumerated() {
            guard let sample else { continue }
            moved[index] = closed.count
            places[sample.owner] = closed.count
            closed.append(sample)
        }
        for index in families.indices { families[index].samples = families[index].samples.map { moved[$0] } }
        (samples, unused) = (closed, [])
    }

    /// OpenMetrics has counters without `_total` and info metrics without `_info`, so that two families may have one name.
    private mutating func nameFamilies() {
        hasNewFamilies = false
        var uses: [String: Int] = [:]
        for family in families { uses[OpenMetricsFamily(family.name, family.kind).name, default: 0] += 1 }
        for index in families.indices {
            let name = OpenMetricsFamily(families[index].name, families[index].kind)
            families[index].openMetrics = uses[name.name] == 1 ? name : OpenMetricsFamily(unknown: families[index].name)
        }
    }
}

/// A family's name and type as OpenMetrics 1.0 spells them: without the suffixes of its samples.
struct OpenMetricsFamily {
    let name: String
    let type: String
    /// The word after `# UNIT`; empty: none.
    var unit = ""

    init(name: String, type: String) {
        (self.name, self.type) = (name, type)
    }

    init(_ name: PrometheusName, _ kind: MetricKind) {
        switch kind {
        case .counter: self.init(name: Self.text(name.family, without: "_total"), type: "counter")
        case .info: self.init(name: Self.text(name.family, without: "_info"), type: "info")
        case .gauge, .upDown: self.init(name: name.family, type: "gauge")
        case .histogram: self.init(name: name.family, type: "histogram")
        }
        // A unit that the name does not end with is an error to a scraper, and so is that of an info metric.
        if kind != .info, !name.unit.isEmpty, self.name.hasSuffix("_" + name.unit) { unit = name.unit }
    }

    /// For a family whose name without the suffix is taken.
    init(unknown name: PrometheusName) {
        self.init(name: name.family, type: name.type == .counter ? "unknown" : name.type.rawValue)
    }

    private static func text(_ name: String, without suffix: String) -> String {
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.utf8.count)) : name
    }
}

extension Array {
    /// The first index whose element satisfies a condition that holds for all elements after it too.
    fileprivate func firstPlace(where isAtOrAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAtOrAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
