internal import HTTPTypes

/// Which requests are answered: those to a name of this server, from its own page, and with a token where one is needed.
struct AccessRules: Sendable {
    /// Names that the server goes by, in small letters, besides the address of the connection itself.
    let names: Set<String>
    /// Whether browsers come by TLS.
    let isEncrypted: Bool
    /// Whether looking needs it too.
    let looking: Looking

    /// Who may look.
    enum Looking: Sendable {
        /// Every client that reaches the server.
        case isFree
        /// A client with the token.
        case needsToken
    }

    /// Whether a request is for this server: a name that somebody else makes point here is not.
    func isAddressed(_ request: HTTPRequest, at local: String?) -> Bool {
        // A second field stays among the others.
        guard let text = request.authority, request.headerFields[.host] == nil, let authority = Authority(text) else {
            return false
        }
        return names.contains(authority.host) || authority.host == local
    }

    /// Whether a request does not come from the page of another site.
    ///
    /// Browsers name the origin of every request that is not a simple look, and where a request comes from.
    func isFromOwnPage(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        if let site = fields[.secFetchSite], site != "same-origin", site != "none" || request.method != .get {
            return false
        }
        guard let origin = fields[.origin] else { return true }
        let scheme = ["http://", "https://"].first { origin.hasPrefix($0) }
        guard let scheme, let authority = request.authority else { return false }
        return origin.dropFirst(scheme.count).lowercased() == authority.lowercased()
    }
}

extension HTTPField.Name {
    /// Nil for names that are none; these are.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .server }

    static let host = known("Host")
    static let secFetchSite = known("Sec-Fetch-Site")
}
