internal import CCurl
internal import SondeDomain
internal import SondePluginKit

/// Where batches go: an `http` or `https` URL, checked with the parser that will use it.
struct Endpoint: Hashable, Sendable {
    /// The URL as it was written.
    let text: String
    /// Scheme, host, port and path: what may be shown.
    ///
    /// The query is left out: it can hold a token.
    let display: String
    /// The query as a whole, and what it may hold of secrets.
    let secrets: [String]
    /// Whether the scheme is `https`.
    let isEncrypted: Bool

    /// Checks a URL that `option` holds.
    init(_ text: String, option: String) throws(PluginError) {
        let url = try ParsedURL(checking: text, option: option, schemes: ["https", "http"])
        self.text = text
        display = url.display
        let parameters = (url.query ?? "").split { $0 == "&" || $0 == ";" }.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        let values = parameters.filter { $0.count == 2 }.filter { pair in
            SecretHint.isLikelyParameter(pair[0]) || pair[1].utf8.count >= 8
        }
        secrets = [url.query].compactMap(\.self) + values.map { String($0[1]) }
        isEncrypted = url.scheme == "https"
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
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
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
