internal import SondeDomain
public import SondeFormats

/// Points that are JSON lines, for people: one line each.
public struct PointLineView {
    private let rows: [String]

    /// A view of JSON lines.
    public init(_ rows: [String]) {
        self.rows = rows
    }

    /// A heading and the points in their order; what is no point is shown as it is.
    public var lines: [StyledLine] {
        var table = TextTable(["TIME", "METRIC", "ATTRIBUTES", "VALUE", "UNIT"])
        for row in rows {
            guard let point = try? JSONReader.parse(row), let name = point["name"]?.asString else {
                table.append([row])
                continue
            }
            let attributes = (point["attributes"]?.asObject ?? []).map { "\($0.key)=\($0.value.asString ?? "")" }
            table.append([
                point["time"]?.asString ?? StatusText.unknown, name, attributes.joined(separator: " "),
                Self.value(point), point["unit"]?.asString ?? "",
            ])
        }
        return table.lines().map { StyledLine(HarmlessText.line($0)) }
    }

    static func value(_ point: JSONValue) -> String {
        if let count = point["count"]?.asUInt64 { return "\(count) values" }
        switch point["value"] {
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .double(let value): return "\(value)"
        default: return StatusText.unknown
        }
    }
}

/// The heading of a dead letter for people.
public struct DeadLetterView {
    private let heading: JSONValue
    private let columns: Int

    /// A view of a heading on a terminal that is so wide.
    public init(_ heading: JSONValue, columns: Int) {
        self.heading = heading
        self.columns = max(60, columns)
    }

    /// Whose it is, and why it was refused.
    public var lines: [StyledLine] {
        let batch = HarmlessText.line(heading["batch"]?.asString ?? StatusText.unknown)
        let sink = HarmlessText.line(heading["sink"]?.asString ?? StatusText.unknown)
        let code = heading["code"]?.asString ?? StatusText.unknown
        let reason =
            "refused \(StatusText.instant(heading.instant("time"))): \(code) \(heading["message"]?.asString ?? "")"
        return [StyledLine("\(sink)  \(batch)", .strong)]
            + Paragraph.lines(reason, columns: columns).map { StyledLine($0, .warning).clipped(to: columns) }
            + [StyledLine()]
    }
}
