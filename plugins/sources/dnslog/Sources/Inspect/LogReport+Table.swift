extension LogReport {
    private typealias Line = (name: String, value: String)

    /// For people: one line per count.
    var table: [UInt8] {
        let lines = lineCounts + dnsLines + warnings.map { ("inexact", $0) }
        let width = (lines.map(\.name.utf8.count).max() ?? 0) + 2
        let text = lines.map { line in
            line.name + String(repeating: " ", count: width - line.name.utf8.count) + line.value + "\n"
        }
        return Array(text.joined().utf8)
    }

    private var lineCounts: [Line] {
        [
            ("format", format?.rawValue ?? "unknown"),
            (format == .dnstap ? "messages" : "lines", "\(lines), \(unparsed) of them in no known format"),
            ("the log tells", capabilities.map(\.rawValue).joined(separator: ", ")),
        ]
    }

    private var dnsLines: [Line] {
        var lines: [Line] = [
            ("queries", Self.text(queries)), ("responses", Self.text(responses)), ("failures", Self.text(failures)),
            ("cached", Self.text(cached)),
        ]
        if let types, !types.isEmpty { lines.append(("query types", Self.text(types))) }
        if let codes, !codes.isEmpty { lines.append(("response codes", Self.text(codes))) }
        if let latency, let minimum = latency.minimum, let median = latency.median, let maximum = latency.maximum {
            let parts = [Double(minimum), median, Double(maximum)].map(Self.milliseconds)
            lines.append(("latency", "min \(parts[0]), median \(parts[1]), max \(parts[2]) of \(latency.count)"))
        } else {
            lines.append(("latency", Self.text(nil)))
        }
        return lines + upstreamLines
    }

    private var upstreamLines: [Line] {
        guard let upstreams else { return [] }
        let worst = upstreams.sorted { $0.count > $1.count }
        return worst.map { ("failing server", "\($0.server ?? "not named"), \($0.error) \($0.count)") }
    }

    private static func text(_ count: UInt64?) -> String { count.map { "\($0)" } ?? "unknown: the log does not tell" }

    /// The most frequent first.
    private static func text(_ counts: [Named]) -> String {
        counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map { "\($0.name) \($0.count)" }
            .joined(separator: ", ")
    }

    /// With three decimals.
    private static func milliseconds(_ nanoseconds: Double) -> String {
        guard nanoseconds < 2e15 else { return "over 2000000 s" }
        let micro = Int64(nanoseconds / 1000)
        let fraction = String(micro % 1000 + 1000).dropFirst()
        return "\(micro / 1000).\(fraction) ms"
    }
}
