internal import SondeDomain

/// Reads Prometheus' text exposition format and OpenMetrics, line by line; hostile bytes make flaws, never traps.
///
/// Names stay as they are. `# TYPE`, `# HELP` and `# UNIT` say what a family is; without a unit the suffixes `_seconds` and
/// `_bytes` do. A histogram becomes one point when the text ends; the quantiles of a summary are gauges, its `_count` and `_sum`
/// counters. `NaN` is no value and is skipped, as `_created` and exemplars are.
public struct PrometheusTextReader {
    private enum Kind {
        case counter, gauge, histogram, summary, info
    }

    private struct Family {
        var kind = Kind.gauge
        var meaning = ""
        var unit: String?
    }

    private struct HistogramKey: Hashable {
        let family: String
        let attributes: [Attribute]
    }

    private struct Buckets {
        var cumulated: [(bound: Double, count: UInt64)] = []
        var count: UInt64?
        var sum: Double?
        var time: Timestamp?
    }

    /// The most families of one text.
    public static let familyLimit = 10_000
    private static let bucketLimit = 1_024

    private var families: [String: Family] = [:]
    private var histograms: [HistogramKey: Buckets] = [:]
    private var order: [HistogramKey] = []

    /// A reader of one text.
    public init() {}

    /// The point of a line; nil: it is none, or a part of a histogram.
    public mutating func point(_ line: ArraySlice<UInt8>) throws(LineFlaw) -> LinePoint? {
        guard line.first != 0x23 else {
            try takeComment(line)
            return nil
        }
        var cursor = PrometheusCursor(line)
        let sample = try cursor.sample()
        guard let value = sample.value else { return nil }
        if try takePart(sample, value) { return nil }
        let (family, role) = family(of: sample.name)
        if role == "_created" { return nil }
        let series = SeriesSpecification(
            name: sample.name, kind: Self.kind(family.kind, role), unit: family.unit ?? Self.unit(sample.name),
            attributes: sample.attributes, meaning: family.meaning)
        return try LinePoint(series, time: sample.time, value: value)
    }

    /// The histograms of the text, and why others are none.
    public mutating func finish() -> (points: [LinePoint], flaws: [LineFlaw]) {
        var result: (points: [LinePoint], flaws: [LineFlaw]) = ([], [])
        for key in order {
            guard let buckets = histograms[key] else { continue }
            do throws(LineFlaw) {
                result.points.append(try point(key, buckets))
            } catch {
                result.flaws.append(error)
            }
        }
        (histograms, order) = ([:], [])
        return result
    }

    private mutating func takeComment(_ line: ArraySlice<UInt8>) throws(LineFlaw) {
        let words = line.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: true)
        guard words.count >= 3, words[0].count == 1,
            let name = String(validating: words[2], as: UTF8.self), name.utf8.count <= LinePoint.nameLimit
        else { return }
        guard families[name] != nil || families.count < Self.familyLimit else {
            throw LineFlaw("is of more than \(Self.familyLimit) families")
        }
        let rest = words.count > 3 ? String(decoding: words[3], as: UTF8.self) : ""
        switch String(decoding: words[1], as: UTF8.self) {
        case "TYPE": families[name, default: Family()].kind = Self.kind(rest)
        case "HELP": families[name, default: Family()].meaning = rest.utf8.count <= LinePoint.valueLimit ? rest : ""
        case "UNIT": families[name, default: Family()].unit = Self.units[rest] ?? ""
        default: break
        }
    }

    /// Whether the line is a part of a histogram.
    private mutating func takePart(_ sample: PrometheusCursor.Sample, _ value: SampleValue) throws(LineFlaw) -> Bool {
        let (family, role) = family(of: sample.name)
        guard family.kind == .histogram, !role.isEmpty, role != "_created" else { return false }
        let key = HistogramKey(
            family: String(sample.name.dropLast(role.count)),
            attributes: sample.attributes.filter { role != "_bucket" || $0.name != "le" }.sorted())
        var buckets = histograms[key] ?? Buckets()
        buckets.time = sample.time ?? buckets.time
        switch role {
        case "_sum": buckets.sum = value.asDouble
        case "_count": buckets.count = try Self.count(value)
        default:
            guard let text = sample.attributes.first(where: { $0.name == "le" })?.value,
                let bound = PrometheusCursor.bound(text)
            else { throw LineFlaw("is a bucket without a bound") }
            guard buckets.cumulated.count < Self.bucketLimit else { throw LineFlaw("is one of too many buckets") }
            buckets.cumulated.append((bound, try Self.count(value)))
        }
        if histograms.updateValue(buckets, forKey: key) == nil { order.append(key) }
        return true
    }

    private func point(_ key: HistogramKey, _ buckets: Buckets) throws(LineFlaw) -> LinePoint {
        let sorted = buckets.cumulated.sorted { $0.bound < $1.bound }
        var counts: [UInt64] = []
        var before: UInt64 = 0
        let total = buckets.count ?? sorted.last?.count ?? 0
        for cumulated in sorted.filter(\.bound.isFinite).map(\.count) + [total] {
            guard cumulated >= before else { throw LineFlaw("\(key.family): buckets are not cumulated") }
            counts.append(cumulated - before)
            before = cumulated
        }
        guard
            let histogram = HistogramValue(
                bounds: sorted.map(\.bound).filter(\.isFinite), counts: counts, sum: buckets.sum)
        else { throw LineFlaw("\(key.family): buckets do not fit together") }
        let family = families[key.family] ?? Family()
        let series = SeriesSpecification(
            name: key.family, kind: .histogram, unit: family.unit ?? Self.unit(key.family),
            attributes: key.attributes, meaning: family.meaning)
        return try LinePoint(series, time: buckets.time, value: .histogram(histogram))
    }

    /// The family of a sample's name, and the suffix that says what of it the sample is.
    private func family(of name: String) -> (Family, role: String) {
        if let known = families[name] { return (known, "") }
        for suffix in ["_bucket", "_count", "_sum", "_total", "_created", "_info"] where name.hasSuffix(suffix) {
            if let known = families[String(name.dropLast(suffix.count))] { return (known, suffix) }
        }
        return (Family(), "")
    }

    private static func kind(_ word: String) -> Kind {
        switch word {
        case "counter": .counter
        case "histogram": .histogram
        case "summary": .summary
        case "info": .info
        default: .gauge
        }
    }

    private static func kind(_ kind: Kind, _ role: String) -> MetricKind {
        switch kind {
        case .counter: .counter
        case .summary where role == "_count" || role == "_sum": .counter
        case .info: .info
        case .gauge, .histogram, .summary: .gauge
        }
    }

    private static func count(_ value: SampleValue) throws(LineFlaw) -> UInt64 {
        switch value {
        case .unsigned(let number): return number
        case .signed(let number) where number >= 0: return UInt64(number)
        case .double(let number) where number >= 0 && number < 0x1p63 && number == number.rounded(.towardZero):
            return UInt64(number)
        default: throw LineFlaw("is a count that is none")
        }
    }

    private static func unit(_ name: String) -> String {
        let words = name.split(separator: "_")
        let last = words.last == "total" ? words.dropLast().last : words.last
        return last == "seconds" || last == "bytes" ? last.flatMap { units[String($0)] } ?? "" : ""
    }

    private static let units = [
        "seconds": "s", "bytes": "By", "ratio": "1", "celsius": "Cel", "volts": "V", "amperes": "A", "joules": "J",
        "grams": "g", "meters": "m", "hertz": "Hz",
    ]
}
