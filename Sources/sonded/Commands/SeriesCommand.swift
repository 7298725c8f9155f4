internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `series`: the last point of every series, and with `--follow` each new one.
struct SeriesCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        session.arguments.has(.follow) ? try follow() : try list()
    }

    private func list() throws(SondeError) -> ExitCode {
        var items: [JSONValue] = []
        var next: JSONValue?
        repeat {
            let after = next.map { [JSONValue.Member("after", $0)] } ?? []
            let page = try AgentQuery.intoSpool(session).ask("series", members + after, for: "series")
            items += page["items"]?.asArray ?? []
            next = page["next"]
        } while next != nil
        return show(items)
    }

    private func follow() throws(SondeError) -> ExitCode {
        try AgentQuery(session: session).watch("series.watch", members) { answer in
            let code = show(answer)
            return code == .ok ? nil : code
        }
    }

    /// Shows one line of the feed.
    private func show(_ answer: JSONValue) -> ExitCode {
        let points = answer["series"] ?? answer["update"]
        let ended = (points?["ended"]?.asArray ?? []).map { id in
            JSONValue.object([.init("id", id), .init("ended", .bool(true))])
        }
        let restart = answer["restart"].map { [JSONValue.object([.init("restart", $0["reason"] ?? .null)])] } ?? []
        return show((points?["items"]?.asArray ?? []) + ended + restart)
    }

    private func show(_ items: [JSONValue]) -> ExitCode {
        switch session.arguments.format {
        case .table:
            let isFollowing = session.arguments.has(.follow)
            return StandardStream.output(SeriesListView(items, isFollowing ? .rows : .table).lines)
        case .json:
            var bytes: [UInt8] = []
            for item in items {
                var json = JSONWriter()
                json.value(item)
                bytes += json.bytes + [0x0a]
            }
            return StandardStream.output(bytes)
        }
    }

    private var members: [JSONValue.Member] {
        let names = session.arguments.all(.name).map(JSONValue.string)
        return (names.isEmpty ? [] : [.init("names", .array(names))])
            + (session.arguments[.source].map { [.init("source", .string($0))] } ?? [])
    }
}
