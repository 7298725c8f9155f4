/// Turns a unit into its base unit: seconds, bytes, shares of one.
///
/// Values keep their exactness where the unit is base already.
public struct UnitConversion: Hashable, Sendable {
    /// The base unit.
    public let unit: String
    /// What a value is multiplied by.
    public let factor: Double

    /// Whether values stay as they are.
    public var isIdentity: Bool { factor == 1 }

    /// The conversion of a UCUM unit as OpenTelemetry uses them; what is not in the table stays as it is.
    public init(from unit: String) {
        let parts = unit.split(separator: "/", maxSplits: 1)
        guard let numerator = parts.first, let base = Self.table[String(numerator)] else {
            self.unit = unit
            factor = 1
            return
        }
        self.unit = parts.count == 2 ? "\(base.unit)/\(parts[1])" : base.unit
        factor = base.factor
    }

    /// The value in the base unit, or nil when a double cannot hold it.
    public func apply(_ value: SampleValue) -> SampleValue? {
        guard !isIdentity else { return value }
        switch value {
        case .histogram(let histogram):
            return HistogramValue(
                bounds: histogram.bounds.map { $0 * factor },
                counts: histogram.counts,
                sum: histogram.sum.map { $0 * factor }
            ).map { .histogram($0) }
        default:
            return value.asDouble.map { $0 * factor }.flatMap { $0.isFinite ? .double($0) : nil }
        }
    }

    // UCUM, https://ucum.org/ucum, the units that network metrics come in.
    private static let table: [String: (unit: String, factor: Double)] = [
        "ns": ("s", 1e-9), "us": ("s", 1e-6), "ms": ("s", 1e-3), "min": ("s", 60), "h": ("s", 3_600),
        "d": ("s", 86_400),
        "bit": ("By", 0.125), "kbit": ("By", 125), "Mbit": ("By", 125_000), "Gbit": ("By", 125_000_000),
        "kBy": ("By", 1e3), "MBy": ("By", 1e6), "GBy": ("By", 1e9),
        "KiBy": ("By", 1_024), "MiBy": ("By", 1_048_576), "GiBy": ("By", 1_073_741_824),
        "%": ("1", 0.01),
    ]
}
