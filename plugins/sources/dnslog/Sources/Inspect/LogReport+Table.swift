internal import SondeDNS

extension LogReport {
    private typealias Line = ReportLines.Line

    /// For people: one line per count.
    var table: [UInt8] {
        ReportLines.table(lineCounts + dnsLines + warnings.map { ("inexact", $0) })
    }

    private var lineCounts: [Line] {
        [
            ("format", format?.rawValue ?? "unknown"),
            (format == .dnstap ? "messages" : "lines", "\(lines), \(unparsed) of them in no known format"),
            ("the log reports", capabilities.map(\.rawValue).joined(separator: ", ")),
        ]
    }

    private var dnsLines: [Line] {
        var lines: [Line] = [
            ("queries", Self.text(queries)), ("responses", Self.text(responses)), ("failures", Self.text(failures)),
            ("cached", Self.text(cached)),
        ]
        if let types, !types.isEmpty { lines.append(("query types", ReportLines.text(types))) }
        if let codes, !codes.isEmpty { lines.append(("response codes", ReportLines.text(codes))) }
        lines.append(("latency", latency.text ?? Self.text(nil)))
        return lines + upstreamLines
    }

    private var upstreamLines: [Line] {
        guard let upstreams else { return [] }
        let worst = upstreams.sorted { $0.count > $1.count }
        return worst.map { ("failing server", "\($0.server ?? "not named"), \($0.error) \($0.count)") }
    }

    private static func text(_ count: UInt64?) -> String { count.map { "\($0)" } ?? "unknown: not in the log" }
}
