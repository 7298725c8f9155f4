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
