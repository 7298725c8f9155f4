internal import SondePluginKit

/// What stands between the agent and the receiver.
enum ProxyChoice: Hashable, Sendable {
    /// Nothing, whatever the environment says.
    case none
    /// What `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    /// A proxy of our own, for every host.
    case address(String)

    /// Reads the option `proxy`: `""`, `env`, or a URL.
    init(_ text: String) throws(PluginError) {
        switch text {
        case "": self = .none
        case "env": self = .environment
        default:
            _ = try ParsedURL(checking: text, option: "proxy", schemes: ["http", "https", "socks5", "socks5h"])
            self = .address(text)
        }
    }
}
