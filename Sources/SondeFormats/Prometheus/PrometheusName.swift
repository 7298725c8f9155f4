public import SondeDomain

/// A metric's family name and type as Prometheus spells them, derived by the OpenTelemetry compatibility rules.
///
/// What is no letter, digit or colon becomes one `_`; the unit is spelled out and appended unless the name ends
/// with it; counters end in `_total`, gauges of unit `1` in `_ratio`, info metrics in `_info`.
public struct PrometheusName: Hashable, Sendable {
    /// The word after `# TYPE`.
    public enum MetricType: String, Hashable, Sendable {
        /// Cumulative and monotonic.
        case counter
        /// Everything that can increase and decrease, and info metrics, which the text format has no word for.
        case gauge
        /// Cumulative with explicit bounds.
        case histogram

        init(_ kind: MetricKind) {
            switch kind {
            case .counter: self = .counter
            case .histogram: self = .histogram
            case .gauge, .upDown, .info: self = .gauge
            }
        }

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

    /// The name of the family: without `_bucket` and the like.
    public let family: String
    /// The family's type.
    public let type: MetricType
    /// The words of the unit, `bytes` or `bytes_per_second`; empty where it has none.
    public let unit: String

    /// The name of a metric, or nil when nothing of it can be expressed.
    public init?(_ name: String, kind: MetricKind, unit: String) {
        var words = Self.words(name)
        guard !words.isEmpty else { return nil }
        if kind == .counter, words.count > 1, words.last == "total" { words.removeLast() }
        let unitWords = Self.unitWords(unit, kind: kind)
        if !words.suffix(unitWords.count).elementsEqual(unitWords) {
            words += unitWords
        }
        self.unit = unitWords.joined(separator: "_")
        if kind == .counter { words.append("total") }
        if kind == .info, words.last != "info" { words.append("info") }
        let family = words.joined(separator: "_")
        self.family = family.utf8.first.map { 0x30...0x39 ~= $0 } == true ? "_" + family : family
        type = MetricType(kind)
    }

    private static func words(_ name: String) -> [String] {
        name.utf8.split { !isNameByte($0) }.compactMap { String($0) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}

extension PrometheusName {
    /// The words that a UCUM unit adds to a name: `By/s` adds `bytes per second`.
    static func unitWords(_ unit: String, kind: MetricKind) -> [String] {
        if unit == "1" { return kind == .gauge ? ["ratio"] : [] }
        let parts = unit.utf8.split(separator: 0x2f, maxSplits: 1, omittingEmptySubsequences: false)
        let words = spelled(parts.first.flatMap { String($0) }, in: counted)
        guard parts.count == 2 else { return words }
        let divisor = spelled(String(parts[1]), in: divisors)
        return divisor.isEmpty ? words : words + ["per"] + divisor
    }

    /// The words for one part of a unit; what is in braces is ignored.
    private static func spelled(_ part: String?, in table: [String: String]) -> [String] {
        guard let part, !part.isEmpty else { return [] }
        if let word = table[part] { return [word] }
        let open = part.utf8.firstIndex(of: 0x7b) ?? part.endIndex
        let words = part.utf8[..<open].split { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: false
            default: true
            }
        }
        return words.compactMap { String($0) }
    }

    private static let counted: [String: String] = [
        "d": "days", "h": "hours", "min": "minutes", "s": "seconds", "ms": "milliseconds", "us": "microseconds",
        "ns": "nanoseconds", "By": "bytes", "KiBy": "kibibytes", "MiBy": "mebibytes", "GiBy": "gibibytes",
        "TiBy": "tibibytes", "kBy": "kilobytes", "KBy": "kilobytes", "MBy": "megabytes", "GBy": "gigabytes",
        "TBy": "terabytes", "bit": "bits", "m": "meters", "V": "volts", "A": "amperes", "J": "joules", "W": "watts",
        "g": "grams", "Cel": "celsius", "Hz": "hertz", "%": "percent",
    ]

    private static let divisors: [String: String] = [
        "s": "second", "min": "minute", "m": "minute", "h": "hour", "d": "day", "wk": "week", "w": "week",
        "mo": "month",
        "a": "year", "y": "year",
    ]
}
