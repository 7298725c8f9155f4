internal import SondeDomain

/// Numbers as tables show them; `–` for what is not known.
public enum QuantityText {
    /// The text for an unknown value.
    public static let unknown = "–"

    /// Bytes per second with SI prefixes and three significant digits: `0 B/s`, `9.5 B/s`, `1.23 kB/s`, `>999 EB/s`.
    public static func rate(_ bytesPerSecond: Double?) -> String {
        guard let value = bytesPerSecond, value.isFinite else { return unknown }
        let sign = value < 0 ? "-" : ""
        var magnitude = abs(value)
        if magnitude < 999.5 { return sign + bytes(magnitude) + "  B/s" }
        for prefix in ["k", "M", "G", "T", "P", "E"] {
            magnitude /= 1_000
            if magnitude < 999.5 { return sign + threeDigits(magnitude) + " " + prefix + "B/s" }
        }
        return sign + ">999 EB/s"
    }

    /// Bytes with SI prefixes and two significant digits, which is what an estimate is worth: `950 B`, `1.2 MB`.
    public static func size(_ bytes: Double) -> String {
        var magnitude = max(0, bytes)
        if magnitude < 999.5 { return fixed(magnitude, digits: 0) + " B" }
        for prefix in ["k", "M", "G", "T", "P", "E"] {
            magnitude /= 1_000
            if magnitude < 999.5 { return fixed(magnitude, digits: magnitude < 9.95 ? 1 : 0) + " \(prefix)B" }
        }
        return ">999 EB"
    }

    /// A count: whole when it is, else with one digit after the point.
    public static func count(_ count: Double?) -> String {
        guard let count, count.isFinite else { return unknown }
        guard abs(count) < 1e15 else { return count < 0 ? "<-1e15" : ">1e15" }
        let sign = count < 0 ? "-" : ""
        let magnitude = abs(count)
        if Double(Int64(magnitude)) == magnitude { return sign + "\(Int64(magnitude))" }
        return magnitude < 0.05 ? sign + "<0.1" : sign + fixed(magnitude, digits: 1)
    }

    /// How long the time was that the peak of `values` is the average of, in at most five columns; empty without a peak.
    public static func step(ofPeak values: SnapshotView.Values) -> String {
        (values.peak ?? 0) != 0 ? step(values.peakStep) : ""
    }

    /// How long the time was that a peak is the average of, in five columns: `20 ms`, `0.1 s`, `10 s`, `5min`.
    public static func step(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds > 0, seconds < 3_600_000 else { return unknown }
        if seconds < 0.095 { return "\(max(1, Int((seconds * 1_000).rounded()))) ms" }
        if seconds < 9.95 {
            let tenths = (seconds * 10).rounded()
            return (tenths / 10 == (tenths / 10).rounded() ? "\(Int(tenths / 10))" : fixed(seconds, digits: 1)) + " s"
        }
        if seconds < 99.5 { return fixed(seconds, digits: 0) + " s" }
        if seconds < 3_570 { return fixed(seconds / 60, digits: 0) + "min" }
        return fixed(seconds / 3_600, digits: 0) + " h"
    }

    /// The bytes of a list, three significant digits: `0 B`, `50.0 kB`.
    static func volume(_ bytes: Double?) -> String {
        guard let bytes, bytes.isFinite else { return unknown }
        let text = rate(bytes)
        return text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    }

    private static func bytes(_ magnitude: Double) -> String {
        if magnitude == 0 { return "0" }
        if magnitude < 0.05 { return "<0.1" }
        return fixed(magnitude, digits: magnitude < 9.95 ? 1 : 0)
    }

    private static func threeDigits(_ magnitude: Double) -> String {
        fixed(magnitude, digits: magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0)
    }

    /// A number below 10^15 with so many digits (0 to 2) after the point, rounded half up.
    private static func fixed(_ value: Double, digits: Int) -> String {
        let scale: Int64 = digits == 0 ? 1 : digits == 1 ? 10 : 100
        let scaled = Int64(value * Double(scale) + 0.5)
        guard digits > 0 else { return "\(scaled)" }
        let fraction = "\(scaled % scale)"
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
    }
}
