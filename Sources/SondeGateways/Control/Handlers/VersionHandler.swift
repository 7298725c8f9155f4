public import SondeDomain
public import SondeFormats

/// `version`: the agent, the plugin contract, the Swift runtime and this protocol.
public final class VersionHandler: ControlHandler {
    /// The version of the protocol on the socket; a later one only adds requests and members.
    public static let protocolVersion = 1

    /// `version`.
    public let request = "version"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let version: String

    /// A handler of an agent of that version.
    public init(version: String) {
        self.version = version
    }

    /// The versions.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let version = version
        return ControlAnswer("version") { json in
            json.object { json in
                json.member("agent", version)
                json.member("protocol", Self.protocolVersion)
                json.member("plugin_contract", PluginContract.version)
                json.member("runtime", PluginContract.runtime)
            }
        }
    }
}
