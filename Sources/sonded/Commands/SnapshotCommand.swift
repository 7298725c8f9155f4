internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// `snapshot` and `watch`: what the network looks like now, and from now on.
struct SnapshotCommand {
    let session: Session

    /// Shows one snapshot.
    func run() throws(SondeError) -> ExitCode {
        let document = Self.document(try ask(after: nil))
        switch session.arguments.format {
        case .json: return StandardStream.output(document + [0x0a])
        case .table:
            var board = SnapshotBoard()
            board.take(document)
            let size = TableSize(columns: StandardStream.outputColumns, rows: nil)
            return StandardStream.output(TableView.lines(board, size: size))
        }
    }

    /// Prints one snapshot per line until nobody takes them or no agent answers.
    ///
    /// Whoever reads slowly gets fewer, and always the newest.
    func watch() throws(SondeError) -> ExitCode {
        var seen: JSONValue?
        while true {
            let answer = try ask(after: seen)
            guard answer["number"] != seen else { continue }
            seen = answer["number"]
            let code = StandardStream.output(Self.document(answer) + [0x0a])
            guard code == .ok else { return code }
        }
    }

    private func ask(after seen: JSONValue?) throws(SondeError) -> JSONValue {
        let members = seen.map { [JSONValue.Member("after", $0)] } ?? []
        return try AgentQuery.intoSpool(session).ask("snapshot", members, for: "snapshot")
    }

    private static func document(_ answer: JSONValue) -> [UInt8] {
        var json = JSONWriter()
        json.value(answer["document"] ?? .null)
        return json.bytes
    }
}
