internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `history`: the values of series over a range of time, as a table or as one JSON object.
struct HistoryCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        var series: [JSONValue] = []
        var first: JSONValue?
        var next: JSONValue?
        repeat {
            let after = next.map { [JSONValue.Member("after", $0)] } ?? []
            let page = try AgentQuery.intoSpool(session).ask(
                "history", session.arguments.history.request + after, for: "history")
            if first == nil { first = page }
            series += page["items"]?.asArray ?? []
            next = page["next"]
        } while next != nil
        switch session.arguments.format {
        case .table:
            let state = HistoryState(series, from: first?["from"], to: first?["to"])
            return StandardStream.output(HistoryView(state, columns: StandardStream.outputColumns).lines)
        case .json: return StandardStream.output(json(first, series))
        }
    }

    private func json(_ first: JSONValue?, _ series: [JSONValue]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "sonde.history/1")
            for key in ["from", "to", "step_seconds"] { json.member(key, first?[key] ?? .null) }
            json.member("series", series)
        }
        return json.bytes + [0x0a]
    }
}
