internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// `reload`: makes a running agent read its configuration again.
struct ReloadCommand {
    // A little longer than the agent takes to answer that it has not ended.
    private static let patience = Nanoseconds.seconds(65)

    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let query = AgentQuery(session: session, patience: Self.patience, unreadable: .isForItsAgent)
        let report = try query.ask("reload", for: "reload")
        guard !session.arguments.isQuiet else { return .ok }
        return StandardStream.output(Self.text(report, session.arguments.format))
    }

    private static func text(_ report: JSONValue, _ format: Arguments.Format) -> [UInt8] {
        switch format {
        case .table: return Array("\(report["summary"]?.asString ?? "")\n".utf8)
        case .json:
            var json = JSONWriter()
            json.value(report)
            return json.bytes + [0x0a]
        }
    }
}
