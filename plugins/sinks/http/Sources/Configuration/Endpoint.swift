internal import CCurl
internal import SondeDomain
internal import SondePluginKit

/// Where requests go: an `http` or `https` URL, checked with the parser that will use it, or a Unix socket.
struct Endpoint: Hashable, Sendable {
    /// Host and port.
    struct Authority: Hashable, Sendable {
        /// As in a URL: `[::1]` in brackets.
        var host: String
        /// The port; that of the scheme where none is written.
        var port: String
    }

    /// The URL as libcurl gets it.
    let text: String
    /// Scheme, host, port and path: what may be shown.
    ///
    /// The query is left out: it can hold a token.
    let display: String
    /// The parameters of the query, as they are written.
    let parameters: [Parameter]
    /// The query as a whole, and what it may hold of secrets.
    let secrets: [String]
    /// Whether nobody on the way can read it: it is `https`, or stays within the host.
    let isPrivate: Bool
    /// The Unix socket that the receiver listens on; nil: it is at ``authority``.
    let socket: String?
    /// Where the URL leads.
    let authority: Authority

    private static let socketScheme = "unix://"
    // sun_path of sockaddr_un, without the NUL at its end.
    private static let longestSocket = 107

    /// One `name=value` of a query.
    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Checks a URL that `option` holds.
    init(_ text: String, option: String) throws(PluginError) {
        let (socket, address) = try Self.socketAndAddress(text, option)
        let url = try ParsedURL(checking: address, option: option, schemes: ["https", "http"])
        self.text = address
        self.socket = socket
        display =
            socket.map { "\(Self.socketScheme)\($0):\(url.display.dropFirst("http://localhost".count))" } ?? url.display
        parameters = (url.query ?? "").split { $0 == "&" || $0 == ";" }.map {
            let parts = $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
        }
        let values = parameters.filter { !$0.value.isEmpty }.filter { parameter in
            SecretHint.isLikelyParameter(parameter.name) || parameter.value.utf8.count >= 8
        }
        secrets = [url.query].compactMap(\.self) + values.map(\.value)
        isPrivate = url.scheme == "https" || socket != nil
        authority = url.authority
    }

    /// The socket and the URL in `unix:///run/receiver.sock:/path`.
    private static func socketAndAddress(
        _ text: String, _ option: String
    ) throws(PluginError) -> (socket: String?, address: String) {
        guard text.hasPrefix(socketScheme) else { return (nil, text) }
        let rest = text.utf8.dropFirst(socketScheme.utf8.count)
        let colon = rest.indices.first { rest[$0] == 0x3a && rest[rest.index(after: $0)...].first == 0x2f }
        let path = rest[..<(colon ?? rest.endIndex)]
        guard path.first == 0x2f, (2...longestSocket).contains(path.count), !path.contains(0) else {
            throw .refused(
                .address, "\(option) names no Unix socket", hint: "Write it like unix:///run/receiver.sock:/path.",
                option: option)
        }
        let tail = colon.map { rest[rest.index(after: $0)...] }
        return (String(Substring(path)), "http://localhost" + (tail.map { String(Substring($0)) } ?? "/"))
    }

    /// What the field `Host` says.
    var hostField: String {
        let isStandard = authority.port == (text.hasPrefix("https") ? "443" : "80")
        return isStandard ? authority.host : "\(authority.host):\(authority.port)"
    }

    /// The URL with another host.
    func text(withHost host: String) -> String {
        guard let url = curl_url() else { return text }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
            curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK
        else { return text }
        return ParsedURL.part(CURLUPART_URL, of: url) ?? text
    }
}

/// The proxy between the agent and the receiver.
enum ProxyChoice: Hashable, Sendable {
    /// None, whatever is in the environment.
    case none
    /// What `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` configure.
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

/// The parts of a URL, as libcurl's parser sees them.
struct ParsedURL {
    /// In small letters.
    let scheme: String
    /// Without the query and the fragment.
    let display: String
    /// Without the question mark.
    let query: String?
    /// Host and port.
    let authority: Endpoint.Authority

    /// Checks that `text` is a URL with one of `schemes`, and without a user or a password in it.
    init(checking text: String, option: String, schemes: [String]) throws(PluginError) {
        func refused(_ message: String, _ hint: String) -> PluginError {
            .refused(.address, message, hint: hint, option: option)
        }
        let example = "Write it like \(schemes[0])://host.example/path."
        guard !text.isEmpty else { throw refused("\(option) is empty", example) }
        if let index = text.utf8.firstOffset(where: { !(0x21...0x7e).contains($0) }) {
            throw refused(
                "\(option) has a space, a control character or a letter beyond ASCII at byte \(index + 1)",
                "Percent-encode it in the path and the query; write an international host name in its xn-- form."
            )
        }
        guard let url = curl_url() else { throw .libcurl("no memory for a URL") }
        defer { curl_url_cleanup(url) }
        let code = curl_url_set(
            url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER) | UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code != CURLUE_USER_NOT_ALLOWED else {
            throw refused(
                "\(option) holds a user name or a password",
                option == "url"
                    ? "Use auth.basic.username and auth.basic.password."
                    : "Use proxy: env with the credentials in the environment."
            )
        }
        guard code == CURLUE_OK else {
            let reason = curl_url_strerror(code).map { String(cString: $0) } ?? "error \(code)"
            throw refused("\(option) cannot be read: \(reason)", example)
        }
        query = Self.part(CURLUPART_QUERY, of: url)
        curl_url_set(url, CURLUPART_QUERY, nil, 0)
        curl_url_set(url, CURLUPART_FRAGMENT, nil, 0)
        guard let scheme = Self.part(CURLUPART_SCHEME, of: url), let display = Self.part(CURLUPART_URL, of: url),
            Self.part(CURLUPART_HOST, of: url)?.isEmpty == false
        else { throw refused("\(option) cannot be read: it names no host", example) }
        guard schemes.contains(scheme) else {
            throw refused("\(option) has the scheme '\(scheme)'", "Use \(schemes.joined(separator: ", ")).")
        }
        // libcurl takes one to three slashes, and then the first part of the path for the host.
        let authority = text.utf8.dropFirst(scheme.utf8.count)
        guard authority.starts(with: "://".utf8), !authority.starts(with: ":///".utf8) else {
            throw refused("\(option) has not two slashes after its scheme", example)
        }
        (self.scheme, self.display) = (scheme, display)
        self.authority = Endpoint.Authority(
            host: Self.part(CURLUPART_HOST, of: url) ?? "",
            port: Self.part(CURLUPART_PORT, of: url, UInt32(CURLU_DEFAULT_PORT)) ?? "")
    }

    static func part(_ part: CURLUPart, of url: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension Collection where Element == UInt8 {
    /// How many bytes come before the first that matches, or nil when none does.
    func firstOffset(where matches: (UInt8) -> Bool) -> Int? {
        firstIndex(where: matches).map { distance(from: startIndex, to: $0) }
    }
}
