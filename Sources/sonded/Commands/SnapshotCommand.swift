internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `snapshot` and `watch`: the state of the network now, and from now on.
struct SnapshotCommand {
    let session: Session

    /// Shows one snapshot, and what has moved where the agent keeps a history.
    func run() throws(SondeError) -> ExitCode {
        let query = AgentQuery(session: session)
        let answer = try query.ask("snapshot", for: "snapshot")
        let changes = Self.changes(query)
        switch session.arguments.format {
        case .json: return StandardStream.output(Self.document(answer, with: changes) + [0x0a])
        case .table:
            var board = SnapshotBoard()
            board.take(Self.document(answer))
            let size = TableSize(columns: StandardStream.outputColumns, rows: nil)
            let rows = session.arguments.has(.all) ? TableRows.all : .busy(hint: "--all shows them")
            let moved = changes.map(ChangesState.init).flatMap { $0.changes.isEmpty ? nil : $0 }
            let below = moved.map { [StyledLine()] + ChangesView($0, columns: size.columns).lines } ?? []
            return StandardStream.output(TableView.lines(board, size: size, rows: rows) + below)
        }
    }

    /// The changes that lists of a snapshot have room for; nil: an agent without history has none.
    private static func changes(_ query: AgentQuery) -> JSONValue? {
        do throws(SondeError) {
            return try query.ask("changes", [JSONValue.Member("limit", .integer(10))], for: "changes")
        } catch {
            // The snapshot is shown all the same.
            let isUnknown = error.code == .controlRequestUnknown || error.code == .historyOff
            if !isUnknown { StandardStream.error("what has moved is not known: \(error.message)") }
            return nil
        }
    }

    /// Prints one snapshot per line until the output is closed or no agent answers.
    ///
    /// A slow reader gets fewer, and always the newest.
    func watch() throws(SondeError) -> ExitCode {
        try AgentQuery(session: session).watch("watch") { answer in
            let code = StandardStream.output(Self.document(answer["snapshot"] ?? .null) + [0x0a])
            return code == .ok ? nil : code
        }
    }

    private static func document(_ answer: JSONValue, with changes: JSONValue? = nil) -> [UInt8] {
        var document = answer["document"] ?? .null
        if let changes, case .object(let members) = document {
            document = .object(members + [JSONValue.Member("changes", changes)])
        }
        var json = JSONWriter()
        json.value(document)
        return json.bytes
    }
}
