internal import Glibc
public import SondeDomain
public import SondeFormats

/// `ping`: whether the agent's loop runs.
public final class PingHandler: ControlHandler {
    /// `ping`.
    public let request = "ping"
    /// It changes nothing.
    public let permission = ControlPermission.read

    /// A handler.
    public init() {}

    /// The process that answers.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        ControlAnswer("ping") { json in
            json.object { $0.member("pid", Int(getpid())) }
        }
    }
}
