internal import CCurl
internal import SondeDomain
internal import SondePluginKit

extension CurlTransfer {
    /// Options that are the same for every delivery of one instance.
    ///
    /// CURLOPT_VERBOSE is never set: it prints the value of Authorization.
    func apply(_ configuration: HTTPConfiguration) throws(PluginError) {
        try set(CURLOPT_URL, configuration.endpoint.text)
        try set(CURLOPT_USERAGENT, "sonde/\(HTTPSink.descriptor.version)")
        try applyLimits(configuration)
        try applyProtocols()
        try apply(configuration.tls)
        try apply(configuration.credentials)
        try apply(configuration.proxy)
    }

    /// Bounds the transfer as a whole.
    func setTimeout(_ span: Nanoseconds) throws(PluginError) {
        try set(CURLOPT_TIMEOUT_MS, span.wholeMilliseconds)
    }

    private func applyLimits(_ configuration: HTTPConfiguration) throws(PluginError) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        // One that moved because its old address refuses is found after ten seconds; libcurl believes it for a minute.
        try set(CURLOPT_DNS_CACHE_TIMEOUT, 10)
        // A name that moved and a certificate that changed are seen after ten minutes at the latest.
        try set(CURLOPT_MAXLIFETIME_CONN, 600)
        // Without it, ending a call waits for a resolver that hangs; the lookup then ends in a thread of its own.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    private func applyProtocols() throws(PluginError) {
        try set(CURLOPT_PROTOCOLS_STR, "https,http")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        // Redirects are off; should they ever be on, then without http and file. libcurl refuses an empty list here.
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        try set(CURLOPT_NETRC, sonde_curl_netrc_ignored)
        // CURLOPT_ACCEPT_ENCODING stays unset: nothing that comes back is worth unpacking.
    }

    private func apply(_ tls: TLSSettings) throws(PluginError) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, tls.minimumVersion == .v1v3 ? sonde_curl_tls_1_3 : sonde_curl_tls_1_2)
        // Each connection reads the files again and shakes hands in full: a certificate replaced on disk is used by the
        // next connection, and one that has expired meanwhile is noticed.
        try set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        if let file = tls.authorityFile {
            try set(CURLOPT_CAINFO, file)
            // Beside a file of its own, the system's directory would go on vouching for everybody else.
            try check(sonde_curl_set_string(handle, CURLOPT_CAPATH, nil))
        }
        if let file = tls.certificateFile {
            try set(CURLOPT_SSLCERT, file)
            try set(CURLOPT_SSLKEY, tls.keyFile ?? file)
        }
    }

    private func apply(_ credentials: Credentials) throws(PluginError) {
        switch credentials {
        case .none: break
        case .bearer(let token):
            try set(CURLOPT_HTTPAUTH, sonde_curl_auth_bearer)
            try set(CURLOPT_XOAUTH2_BEARER, token.reveal())
        case .basic(let username, let password):
            try set(CURLOPT_HTTPAUTH, sonde_curl_auth_basic)
            try set(CURLOPT_USERNAME, username)
            try set(CURLOPT_PASSWORD, password.reveal())
        }
    }

    private func apply(_ proxy: ProxyChoice) throws(PluginError) {
        // What is meant for the receiver is not shown to a proxy.
        try set(CURLOPT_HEADEROPT, sonde_curl_headers_separate)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        switch proxy {
        case .environment: break
        case .none:
            try set(CURLOPT_PROXY, "")
        case .address(let address):
            try set(CURLOPT_PROXY, address)
            // An empty list, or libcurl takes no_proxy from the environment.
            try set(CURLOPT_NOPROXY, "")
        }
    }

    private func check(_ code: CURLcode) throws(PluginError) {
        guard code == CURLE_OK else { throw .libcurl("libcurl refuses CURLOPT_CAPATH") }
    }
}

extension Nanoseconds {
    /// At least 1: libcurl reads 0 as its default or as no limit.
    var wholeMilliseconds: Int { max(1, Int(value / 1_000_000)) }
}
