public import SondeDomain

/// The newest value of each series in the Prometheus text format without times: a complete page, like a file for
/// node_exporter's textfile collector.
///
/// Each family has one `# HELP` and one `# TYPE` line. Bounded; a series that is silent for five minutes is left out,
/// as Prometheus does with one that is not scraped any more.
public struct PrometheusPage {
    private struct Sample {
        var value: SampleValue
        var time: Timestamp
    }

    private struct Family {
        let type: PrometheusName.MetricType
        /// The name and unit that the sources use.
        let origin: String
        /// By labels, without braces.
        var samples: [String: Sample] = [:]
    }

    private struct Place {
        let name: String
        let labels: String
        let type: PrometheusName.MetricType
    }

    /// How many series are kept at most.
    public static let bound = 50_000
    /// For how long a series is on the page without a new point.
    public static let staleness = Nanoseconds.seconds(300)

    private var families: [String: Family] = [:]
    private var count = 0
    private var newest = Timestamp(nanoseconds: .min)

    /// An empty page.
    public init() {}

    /// Takes the points of a batch; returns how many of them cannot be expressed, or have no room.
    public mutating func take(_ batch: Batch) -> Int {
        let places = batch.series.map { Self.place(of: $0, batch.resource) }
        newest = max(newest, batch.entries.map(\.point.time).max() ?? newest)
        forgetSilent()
        var leftOut = 0
        for entry in batch.entries where !take(entry, places, batch.series) { leftOut += 1 }
        return leftOut
    }

    /// Appends the page: families by name, their series by labels.
    public func append(to buffer: inout ByteBuffer) {
        var arena = ByteBuffer()
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            buffer.append("# HELP \(name) \(Self.escaped(family.origin))\n")
            buffer.append("# TYPE \(name) \(family.type.rawValue)\n")
            for (labels, sample) in family.samples.sorted(by: { $0.key < $1.key }) {
                arena.removeAll()
                arena.append(labels)
                var line = PrometheusLine(name: name, labels: (0, arena.count), time: nil)
                line.append(sample.value, arena, to: &buffer)
            }
        }
    }

    private mutating func take(_ entry: Batch.Entry, _ places: [Place?], _ series: [Series]) -> Bool {
        guard places.indices.contains(entry.seriesIndex), let place = places[entry.seriesIndex],
            place.type.canSay(entry.point.value)
        else { return false }
        guard families[place.name]?.type ?? place.type == place.type else { return false }
        if let sample = families[place.name]?.samples[place.labels] {
            // Points of a batch need not be in the order of their times.
            guard sample.time <= entry.point.time else { return true }
        } else {
            guard count < Self.bound else { return false }
            count += 1
        }
        let origin = series[entry.seriesIndex]
        families[place.name, default: Family(type: place.type, origin: "\(origin.name) in \(origin.unit)")]
            .samples[place.labels] = Sample(value: entry.point.value, time: entry.point.time)
        return true
    }

    private mutating func forgetSilent() {
        let (oldest, overflow) = newest.nanoseconds.subtractingReportingOverflow(Self.staleness.value)
        guard !overflow else { return }
        for (name, family) in families where family.samples.values.contains(where: { $0.time.nanoseconds < oldest }) {
            var family = family
            family.samples = family.samples.filter { $0.value.time.nanoseconds >= oldest }
            families[name] = family.samples.isEmpty ? nil : family
        }
        count = families.values.reduce(0) { $0 + $1.samples.count }
    }

    private static func place(of series: Series, _ resource: Resource) -> Place? {
        guard let name = PrometheusName(series.name, kind: series.kind, unit: series.unit) else { return nil }
        var labels = ByteBuffer()
        PrometheusLabels(series, resource).append(to: &labels)
        return Place(name: name.family, labels: String(decoding: labels.bytes, as: UTF8.self), type: name.type)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension PrometheusName.MetricType {
    /// Whether a value can be in a family of this type.
    func canSay(_ value: SampleValue) -> Bool {
        switch value {
        case .histogram: self == .histogram
        case .double(let number): self != .histogram && number.isFinite
        case .signed, .unsigned: self != .histogram
        case .ended: false
        }
    }
}
