internal import SondeDomain

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

    /// The words for one part of a unit; what stands in braces says nothing.
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
