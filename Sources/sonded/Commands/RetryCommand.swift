internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// `retry`: has a source or sink try again at once.
struct RetryCommand {
    let session: Session

    func run(_ name: String) throws(SondeError) -> ExitCode {
        _ = try AgentQuery(session: session).ask("retry", [JSONValue.Member("plugin", .string(name))], for: "retry")
        return .ok
    }
}
