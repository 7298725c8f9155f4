internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `spool-show`: the points of a range of the log, or of a dead letter.
struct SpoolShowCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let query = AgentQuery.intoSpool(session)
        let spool = session.arguments.spool
        let limit = spool.limit == 0 ? .max : spool.limit
        let cursor = spool.deadLetter == nil ? "first" : "line"
        var next: JSONValue? = spool.deadLetter == nil ? .unsigned(spool.from ?? 1) : .integer(0)
        var shown: UInt64 = 0
        var heading: JSONValue?
        var rows: [String] = []
        while let at = next, shown < limit {
            let rest = min(limit - shown, 5_000)
            let page = try query.ask("spool.show", members(cursor, at, limit: rest), for: "show")
            if heading == nil, let found = page["heading"] {
                heading = found
                let code = begin(found)
                guard code == .ok else { return code }
            }
            let lines = (page["lines"]?.asArray ?? []).compactMap(\.asString).prefix(Int(rest))
            shown += UInt64(lines.count)
            switch session.arguments.format {
            case .table: rows += lines
            case .json:
                let code = StandardStream.output(Array(lines.map { "\($0)\n" }.joined().utf8))
                guard code == .ok else { return code }
            }
            next = page["next"]
        }
        if next != nil { StandardStream.error("there is more; --limit shows it, 0 shows all") }
        if shown == 0, heading == nil { StandardStream.error("the log holds nothing of these numbers") }
        return rows.isEmpty ? .ok : StandardStream.output(PointLineView(rows).lines)
    }

    private func members(_ cursor: String, _ at: JSONValue, limit: UInt64) -> [JSONValue.Member] {
        let spool = session.arguments.spool
        var members = [JSONValue.Member(cursor, at), JSONValue.Member("limit", .unsigned(limit))]
        if let last = spool.to { members.append(JSONValue.Member("last", .unsigned(last))) }
        if let name = spool.deadLetter { members.append(JSONValue.Member("dead_letter", .string(name))) }
        if let sink = spool.sink { members.append(JSONValue.Member("sink", .string(sink))) }
        return members
    }

    private func begin(_ heading: JSONValue) -> ExitCode {
        switch session.arguments.format {
        case .json:
            var json = JSONWriter()
            json.value(heading)
            return StandardStream.output(json.bytes + [0x0a])
        case .table:
            return StandardStream.output(DeadLetterView(heading, columns: StandardStream.outputColumns).lines)
        }
    }
}
