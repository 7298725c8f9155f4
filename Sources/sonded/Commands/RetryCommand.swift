internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// `retry`: makes a source or sink try again at once.
struct RetryCommand {
    let session: Session

    func run(_ name: String) throws(SondeError) -> ExitCode {
        let members = [JSONValue.Member("plugin", .string(name))]
        _ = try AgentQuery(session: session).ask("retry", members, for: "retry")
        guard !session.arguments.isQuiet else { return .ok }
        return StandardStream.output(Array("\(name) tries again at once, if it waits after a failure\n".utf8))
    }
}
