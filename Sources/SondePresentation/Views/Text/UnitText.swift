internal import SondeFormats

/// A number with its unit, as tables show it.
enum UnitText {
    /// The text for a unit of history; `–` for what is not known.
    static func text(_ value: Double?, _ unit: String) -> String {
        switch unit {
        case "By/s": QuantityText.rate(value)
        case "By": value.map { StatusText.bytes(UInt64(max(0, min($0, 1e18)))) } ?? QuantityText.unknown
        case "s": value.map { "\(QuantityText.count(($0 * 1e5).rounded() / 100)) ms" } ?? QuantityText.unknown
        case "1": value.map { "\(QuantityText.count(($0 * 1e3).rounded() / 10)) %" } ?? QuantityText.unknown
        default:
            unit.hasSuffix("/s")
                ? value.map { "\(QuantityText.count($0))/s" } ?? QuantityText.unknown : QuantityText.count(value)
        }
    }
}
