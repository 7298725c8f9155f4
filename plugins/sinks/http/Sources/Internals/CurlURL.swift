internal import CCurl

/// libcurl's URL parser.
enum CurlURL {
    /// Why a URL is refused.
    enum Fault: Error {
        /// It holds a user or a password.
        case userPart
        /// libcurl's own words.
        case other(String)
    }

    /// Reads a URL, which holds no NUL.
    static func parse(_ text: String) -> Result<ParsedURL, Fault> {
        guard let url = curl_url() else { return .failure(.other("out of memory")) }
        defer { curl_url_cleanup(url) }
        let flags = UInt32(CURLU_DISALLOW_USER) | UInt32(CURLU_NON_SUPPORT_SCHEME)
        let code = curl_url_set(url, CURLUPART_URL, text, flags)
        guard code == CURLUE_OK else {
            return .failure(code == CURLUE_USER_NOT_ALLOWED ? .userPart : .other(words(code)))
        }
        guard let scheme = part(CURLUPART_SCHEME, of: url), let host = part(CURLUPART_HOST, of: url), !host.isEmpty
        else { return .failure(.other("it names no host")) }
        let query = part(CURLUPART_QUERY, of: url)
        curl_url_set(url, CURLUPART_QUERY, nil, 0)
        curl_url_set(url, CURLUPART_FRAGMENT, nil, 0)
        guard let display = part(CURLUPART_URL, of: url) else { return .failure(.other("it cannot be written again")) }
        return .success(ParsedURL(scheme: scheme, display: display, query: query))
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func words(_ code: CURLUcode) -> String {
        curl_url_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    }
}
