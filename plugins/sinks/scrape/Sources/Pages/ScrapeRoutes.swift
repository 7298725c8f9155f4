internal import SondeDomain
internal import SondeFormats

/// What is answered to which request.
struct ScrapeRoutes {
    /// Paths that need no credentials: they say whether it works, and nothing of the host.
    static let reserved = ["/healthz", "/readyz", "/"]

    let paths: [ScrapeConfiguration.Path]
    let authorization: Authorization

    /// What to answer with.
    enum Target {
        case page(PageRequest)
        case text(UInt32, String, [(name: String, value: String)])
    }

    /// The target of a request.
    func target(of request: HTTPRequest, hasSamples: Bool) -> Target {
        guard let path = request.path else { return .text(404, "no such path\n", []) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .text(405, "only GET and HEAD\n", [("Allow", "GET, HEAD")])
        }
        switch path {
        case "/healthz": return .text(200, "ok\n", [])
        case "/readyz":
            return hasSamples ? .text(200, "ready\n", []) : .text(503, "no samples yet\n", [])
        case "/": return .text(200, paths.map { $0.path + "\n" }.joined(), [])
        default: break
        }
        guard authorization.allows(request.field("Authorization")) else {
            return .text(401, "credentials are needed\n", [("WWW-Authenticate", authorization.challenge)])
        }
        guard let index = paths.firstIndex(where: { $0.path == path }) else { return .text(404, "no such path\n", []) }
        guard let names = request.names else {
            return .text(400, "too many, too long, or too many stars in name[]\n", [])
        }
        return .page(
            PageRequest(path: index, names: names, format: request.format, isPacked: request.acceptsGzip))
    }
}

/// Which page is asked for.
struct PageRequest: Hashable {
    /// Index into the paths.
    let path: Int
    /// Globs on the names of families; empty: all.
    let names: [String]
    let format: PrometheusPageStyle.Format
    /// Whether the client takes gzip.
    let isPacked: Bool
}
