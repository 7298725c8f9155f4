internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `spool-replay`: offers a receiver again what it refused, and waits for the outcome.
struct SpoolReplayCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let order = try AgentQuery.intoSpool(session).ask("spool.replay", members, for: "order")
        return try OrderWait(session: session).follow([order])
    }

    private var members: [JSONValue.Member] {
        let spool = session.arguments.spool
        var members = [JSONValue.Member("sink", .string(spool.sink ?? ""))]
        if let name = spool.deadLetter { members.append(JSONValue.Member("dead_letter", .string(name))) }
        if spool.isAll { members.append(JSONValue.Member("all", .bool(true))) }
        return members
    }
}
