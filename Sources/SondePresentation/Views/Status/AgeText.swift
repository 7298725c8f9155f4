internal import SondeDomain
internal import SondeFormats

/// Spans, counts and sizes as short as people need them.
enum AgeText {
    /// The two largest units: `850ms`, `12s`, `3m12s`, `2h5m`, `9d4h`.
    static func span(_ span: Nanoseconds) -> String {
        let milliseconds = max(0, span.value) / 1_000_000
        guard milliseconds >= 1_000 else { return "\(milliseconds)ms" }
        let seconds = milliseconds / 1_000
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return pair(seconds, 60, "m", 1, "s")
        case ..<86_400: return pair(seconds, 3_600, "h", 60, "m")
        default: return pair(seconds, 86_400, "d", 3_600, "h")
        }
    }

    /// How long ago an instant was; `–` when one of both is not known.
    static func since(_ instant: Timestamp?, at now: Timestamp?) -> String {
        distance(from: instant, to: now).map(span) ?? StatusText.unknown
    }

    /// How long until an instant, `now` when it has come; `–` when one of both is not known.
    static func until(_ instant: Timestamp?, at now: Timestamp?) -> String {
        guard let distance = distance(from: now, to: instant) else { return StatusText.unknown }
        return distance.value <= 0 ? "now" : span(distance)
    }

    private static func distance(from: Timestamp?, to: Timestamp?) -> Nanoseconds? {
        guard let from, let to else { return nil }
        let (distance, overflow) = to.nanoseconds.subtractingReportingOverflow(from.nanoseconds)
        return overflow ? nil : Nanoseconds(distance)
    }

    private static func pair(_ seconds: Int64, _ unit: Int64, _ name: String, _ less: Int64, _ lesser: String) -> String
    {
        let rest = seconds % unit / less
        return rest == 0 ? "\(seconds / unit)\(name)" : "\(seconds / unit)\(name)\(rest)\(lesser)"
    }
}

/// Words and numbers of the status views.
enum StatusText {
    static let unknown = "–"

    /// Where the spool is kept: `in memory`, `on disk`.
    static func place(_ kind: String) -> String {
        kind == "disk" ? "on disk" : "in \(kind)"
    }

    /// `12 345`, digits in groups of three.
    static func count(_ count: UInt64?) -> String {
        guard let count else { return unknown }
        var digits = Array("\(count)")
        var place = digits.count - 3
        while place > 0 {
            digits.insert(" ", at: place)
            place -= 3
        }
        return String(digits)
    }

    /// `512 B`, `1.2 KiB`, `16 MiB`.
    static func bytes(_ bytes: UInt64?) -> String {
        guard let bytes else { return unknown }
        guard bytes >= 1_024 else { return "\(bytes) B" }
        var value = Double(bytes)
        for unit in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
            value /= 1_024
            guard value >= 1_000 else {
                let tenths = UInt64(value * 10 + 0.5)
                return tenths >= 100 || tenths % 10 == 0
                    ? "\((tenths + 5) / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
            }
        }
        return ">999 PiB"
    }

    /// `2026-01-01 00:00:00 UTC`.
    static func instant(_ instant: Timestamp?) -> String {
        guard let instant else { return unknown }
        var buffer = ByteBuffer()
        buffer.append(time: instant)
        let text = String(decoding: buffer.bytes, as: UTF8.self)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }
}
