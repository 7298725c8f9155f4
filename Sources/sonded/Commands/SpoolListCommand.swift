internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `spool-list`: the log's segments, each sink's position, what was set aside, and the dead letters.
struct SpoolListCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        show(try list())
    }

    /// Everything in one object: the merged pages of the agent's answers.
    private func list() throws(SondeError) -> JSONValue {
        let query = AgentQuery.intoSpool(session)
        let status = try query.ask("spool.status", for: "spool")
        let (segments, first) = try pages(query, "spool.segments", for: "segments", [])
        let wanted = session.arguments.spool.sink
        let filter = wanted.map { [JSONValue.Member("sink", .string($0))] } ?? []
        let (letters, _) = try pages(query, "spool.dead_letters", for: "dead_letters", filter)
        let sinks = (first?["sinks"]?.asArray ?? []).filter { wanted == nil || $0["id"]?.asString == wanted }
        let known = (status["sinks"]?.asArray ?? []).compactMap { $0["id"]?.asString }
        guard wanted.map(known.contains) ?? true else {
            throw SondeError(
                .spoolSinkUnknown, stage: .control, class: .permanentData,
                message: "there is no sink '\(wanted ?? "")'; there are: \(known.joined(separator: ", "))")
        }
        var members: [JSONValue.Member] = [JSONValue.Member("spool", status)]
        for key in ["bytes", "max_bytes"] {
            if let value = first?[key] { members.append(JSONValue.Member(key, value)) }
        }
        members.append(JSONValue.Member("segments", .array(segments)))
        members.append(JSONValue.Member("sinks", .array(sinks)))
        members.append(JSONValue.Member("set_aside", first?["set_aside"] ?? .array([])))
        members.append(JSONValue.Member("dead_letters", .array(letters)))
        return .object(members)
    }

    /// The items of all pages, and the first page.
    private func pages(
        _ query: AgentQuery,
        _ request: String,
        for key: String,
        _ members: [JSONValue.Member]
    ) throws(SondeError) -> (items: [JSONValue], first: JSONValue?) {
        var items: [JSONValue] = []
        var first: JSONValue?
        var next: JSONValue?
        repeat {
            let after = next.map { [JSONValue.Member("after", $0)] } ?? []
            let page = try query.ask(request, members + after, for: key)
            first = first ?? page
            items += page["items"]?.asArray ?? []
            next = page["next"] == next ? nil : page["next"]
        } while next != nil
        return (items, first)
    }

    private func show(_ list: JSONValue) -> ExitCode {
        switch session.arguments.format {
        case .json:
            var json = JSONWriter()
            json.value(list)
            return StandardStream.output(json.bytes + [0x0a])
        case .table:
            let view = SpoolListView(SpoolListState(list), columns: StandardStream.outputColumns)
            return StandardStream.output(view.lines)
        }
    }
}
