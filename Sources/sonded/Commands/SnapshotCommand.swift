internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// `snapshot` and `watch`: the state of the network now, and from now on.
struct SnapshotCommand {
    let session: Session

    /// Shows one snapshot.
    func run() throws(SondeError) -> ExitCode {
        let document = Self.document(try AgentQuery(session: session).ask("snapshot", for: "snapshot"))
        switch session.arguments.format {
        case .json: return StandardStream.output(document + [0x0a])
        case .table:
            var board = SnapshotBoard()
            board.take(document)
            let size = TableSize(columns: StandardStream.outputColumns, rows: nil)
            let rows = session.arguments.has(.all) ? TableRows.all : .busy(hint: "--all shows them")
            return StandardStream.output(TableView.lines(board, size: size, rows: rows))
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

    private static func document(_ answer: JSONValue) -> [UInt8] {
        var json = JSONWriter()
        json.value(answer["document"] ?? .null)
        return json.bytes
    }
}
