internal import SondePluginKit

/// Where batches go: an `http` or `https` URL, checked with the parser that will use it.
struct Endpoint: Hashable, Sendable {
    /// The URL as it was written.
    let text: String
    /// Scheme, host, port and path: what may be shown.
    ///
    /// The query is left out: it can hold a token.
    let display: String
    /// The query, if there is one.
    let query: String?
    /// Whether the scheme is `https`.
    let isEncrypted: Bool

    /// Checks a URL that `option` holds.
    init(_ text: String, option: String) throws(PluginError) {
        let url = try ParsedURL(checking: text, option: option, schemes: ["https", "http"])
        self.text = text
        display = url.display
        query = url.query.flatMap { $0.isEmpty ? nil : $0 }
        isEncrypted = url.scheme == "https"
    }
}
