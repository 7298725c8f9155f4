internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `changes`: what has moved from its own history, as a table or as one JSON object.
struct ChangesCommand {
    /// The rows of a table that people read.
    private static let rows: Int64 = 20

    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let answer = try AgentQuery.intoSpool(session).ask("changes", try request(), for: "changes")
        switch session.arguments.format {
        case .table:
            return StandardStream.output(ChangesView(ChangesState(answer), columns: StandardStream.outputColumns).lines)
        case .json: return StandardStream.output(Self.json(answer))
        }
    }

    private func request() throws(SondeError) -> [JSONValue.Member] {
        let words = [CommandOption.range, .against].compactMap { option in
            session.arguments[option].map { JSONValue.Member(String(option.rawValue.dropFirst(2)), .string($0)) }
        }
        let standard = session.arguments.format == .table ? Self.rows : nil
        guard let limit = session.arguments[.limit].flatMap({ Int64($0) }) ?? standard else { return words }
        return words + [JSONValue.Member("limit", .integer(limit))]
    }

    private static func json(_ answer: JSONValue) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "sonde.changes/1")
            for member in answer.asObject ?? [] { json.member(member.key, member.value) }
        }
        return json.bytes + [0x0a]
    }
}
