internal import SondeDomain

/// Where and for whom the page is served.
struct WebSettings: Sendable {
    /// The port where none is named.
    static let standardPort = 8_787

    let listen: Listen
    let names: Set<String>
    private let linkHost: String
    let tls: TLSFiles?
    let token: Token
    let isTokenGiven: Bool
    let sockets: [String]

    /// An address to listen at.
    struct Listen: Hashable, Sendable {
        let host: String
        let port: Int?

        var text: String { "\(bracketed):\(port ?? WebSettings.standardPort)" }
        private var bracketed: String { host.contains(":") ? "[\(host)]" : host }
    }

    /// What was asked for; throws where it would show the host to other machines without TLS and a token.
    init(_ arguments: WebArguments, token given: [UInt8]?, sockets: [String]) throws(SondeError) {
        listen = try Self.listen(arguments.listen)
        isTokenGiven = given != nil
        switch given {
        case nil: token = Token()
        case let content?: token = try Self.token(content)
        }
        tls = try Self.tls(arguments)
        if !Authority.isLoopback(listen.host), tls == nil || !isTokenGiven {
            throw SondeError(
                web: .webNotProtected,
                "'\(listen.text)' is reached by other hosts: it takes --tls-certificate, --tls-key and --token-file")
        }
        var names: Set = [listen.host]
        if Authority.isLoopback(listen.host) { names.insert("localhost") }
        let hosts = try arguments.hosts.map { (name) throws(SondeError) in try Self.host(name) }
        self.names = names.union(hosts)
        // Other machines need a name that is in the certificate; a proxy in front of this one has another port.
        linkHost = Authority.isLoopback(listen.host) ? listen.host : hosts.first ?? listen.host
        self.sockets = sockets
    }

    /// Who may look: on this machine all users, unless a token was given.
    var rules: AccessRules {
        AccessRules(names: names, isEncrypted: tls != nil, looking: isTokenGiven ? .needsToken : .isFree)
    }

    /// The link to the page; with the token where it was made here.
    func link(port: Int) -> String {
        let link = "\(tls == nil ? "http" : "https")://\(Listen(host: linkHost, port: port).text)/"
        return isTokenGiven ? link : "\(link)#token=\(token.text)"
    }

    private static func listen(_ text: String?) throws(SondeError) -> Listen {
        guard let text else { return Listen(host: "127.0.0.1", port: nil) }
        guard let authority = Authority(text), authority.host == "localhost" || Authority.isAddress(authority.host)
        else {
            throw SondeError(
                web: .webArgumentInvalid, "'\(text)' is no address to listen at: 127.0.0.1:8787 and [::1]:8787 are")
        }
        return Listen(host: authority.host == "localhost" ? "127.0.0.1" : authority.host, port: authority.port)
    }

    private static func host(_ name: String) throws(SondeError) -> String {
        guard let authority = Authority(name), authority.port == nil else {
            throw SondeError(web: .webArgumentInvalid, "'\(name)' is no name of a host")
        }
        return authority.host
    }

    private static func token(_ content: [UInt8]) throws(SondeError) -> Token {
        guard let token = Token(content) else {
            throw SondeError(
                web: .webFileUnusable,
                "the token has to be one line of \(Token.shortest) to \(Token.longest) printable characters")
        }
        return token
    }

    private static func tls(_ arguments: WebArguments) throws(SondeError) -> TLSFiles? {
        switch (arguments.certificate, arguments.key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        default: throw SondeError(web: .webArgumentInvalid, "--tls-certificate and --tls-key belong together")
        }
    }
}
