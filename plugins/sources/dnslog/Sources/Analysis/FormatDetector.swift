/// Finds out in which format a line is.
enum FormatDetector {
    /// A format, and how sure that is.
    struct Finding: Equatable {
        var format: LogFormat
        /// Whether the line is one for which the log is read; otherwise it only bears the resolver's name.
        var isTelling: Bool
    }

    /// The format of `line`, or nil when nothing in it is known.
    static func find(_ line: LogBytes, _ prefix: LogPrefix, _ parser: borrowing LineParser) -> Finding? {
        var bearing: LogFormat?
        for format in LogFormat.allCases {
            if parser.event(format, line, prefix).isTelling { return Finding(format: format, isTelling: true) }
            if prefix.tag != .none, prefix.tag == format.tag { bearing = format }
        }
        if bearing == nil, line.from(prefix.start).has("msg=\""), line.find("subsystem=\"") != nil {
            bearing = .powerdns
        }
        if bearing == nil, line.from(prefix.start).has("PowerDNS Recursor ") { bearing = .powerdns }
        return bearing.map { Finding(format: $0, isTelling: false) }
    }

    /// The format of which `line` is one for which the log is read, or nil; `known` is none of them, as has been seen.
    static func findTelling(
        _ line: LogBytes, _ prefix: LogPrefix, _ parser: borrowing LineParser, besides known: LogFormat?
    ) -> Finding? {
        for format in LogFormat.allCases where format != known {
            guard prefix.tag == .none || prefix.tag == format.tag else { continue }
            if parser.event(format, line, prefix).isTelling { return Finding(format: format, isTelling: true) }
        }
        return nil
    }

    /// Why the format was chosen, for people; `quote` is of the line.
    static func reason(_ finding: Finding, _ quote: String) -> String {
        let what = finding.isTelling ? "reads as a line of its query log" : "bears its name"
        return "the format is \(finding.format.rawValue): \(quote) \(what)"
    }

    /// The beginning of a line in quotation marks, without what a terminal would obey.
    static func quote(_ line: LogBytes) -> String { "'\(excerpt(line))'" }

    private static func excerpt(_ line: LogBytes) -> String {
        let bytes = line.part(0, 200).buffer.map { (0x20..<0x7f).contains($0) ? $0 : 0x3f }
        return String(decoding: bytes, as: UTF8.self) + (line.count > 200 ? "..." : "")
    }
}
