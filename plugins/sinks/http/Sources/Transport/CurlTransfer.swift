internal import CCurl
internal import SondeDomain
internal import SondePluginKit

/// One exchange: its own easy handle, so that it keeps no state of the one before it.
///
/// libcurl keeps errno, options and TLS results in the handle; connections live in the session and are shared.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let receiver: ResponseReceiver
    private let fields: UnsafeMutablePointer<curl_slist>?
    private var connectTo: UnsafeMutablePointer<curl_slist>?

    /// A transfer of `request` by `settings`, within `timeout`; the body is set by ``setBody(_:)``.
    init(
        _ request: Request, _ settings: TransportSettings, _ authorization: Authorization.Field, timeout: Nanoseconds
    ) throws(PluginError) {
        guard let handle = curl_easy_init() else { throw .libcurl("curl_easy_init failed") }
        self.handle = handle
        receiver = ResponseReceiver(request.answer)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let host = settings.tls.serverName == nil ? [] : ["Host: \(settings.endpoint.hostField)"]
        // An empty Expect keeps libcurl from waiting for 100 Continue before a large body; its own Accept says nothing.
        let accepts = request.fields.contains { $0.name.lowercased() == "accept" }
        fields = Self.list(request.fields.map(\.line) + host + ["Expect:"] + (accepts ? [] : ["Accept:"]))
        guard fields != nil else { throw .libcurl("no memory for header fields") }
        try check(sonde_curl_set_error_buffer(handle, errorText), "CURLOPT_ERRORBUFFER")
        try check(sonde_curl_set_list(handle, CURLOPT_HTTPHEADER, fields), "CURLOPT_HTTPHEADER")
        try setReceivers()
        try apply(settings)
        try apply(authorization)
        try set(CURLOPT_TIMEOUT_MS, timeout.wholeMilliseconds)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        curl_slist_free_all(connectTo)
        errorText.deallocate()
    }

    /// Sets the body, which must stay until the transfer is over.
    func setBody(_ body: UnsafeBufferPointer<UInt8>) throws(PluginError) {
        try check(sonde_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)), "the body's size")
        try check(sonde_curl_set_body(handle, body.baseAddress), "CURLOPT_POSTFIELDS")
    }

    /// The result when libcurl returns `code`.
    func result(_ code: CURLcode) -> Transfer {
        var transfer = Transfer(code: Int32(bitPattern: code.rawValue))
        transfer.systemError = Int32(clamping: fact(CURLINFO_OS_ERRNO))
        transfer.verifyResult = fact(CURLINFO_SSL_VERIFYRESULT)
        transfer.proxyStatus = fact(CURLINFO_HTTP_CONNECTCODE)
        errorText[Int(CURL_ERROR_SIZE) - 1] = 0
        transfer.detail = code == CURLE_OK ? "" : String(cString: errorText)
        transfer.head = receiver.head
        transfer.body = receiver.body
        return transfer
    }

    /// Makes it end once it is connected, without a request.
    func connectOnly() throws(PluginError) {
        try set(CURLOPT_CONNECT_ONLY, 1)
        try set(CURLOPT_CERTINFO, 1)
    }

    /// When the receiver's certificate ends, in seconds since 1970; nil: there is none, or it does not say.
    var certificateEnd: Int64? {
        var entry = sonde_curl_get_certificate(handle)
        while let line = entry {
            let text = line.pointee.data.map { [UInt8](String(cString: $0).utf8) } ?? []
            let name = [UInt8]("Expire date:".utf8)
            if text.starts(with: name) { return CertificateEnd.seconds(text.dropFirst(name.count)) }
            entry = line.pointee.next
        }
        return nil
    }

    private func fact(_ info: CURLINFO) -> Int {
        max(0, sonde_curl_get_long(handle, info))
    }

    private static func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var head: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(head, line) else {
                curl_slist_free_all(head)
                return nil
            }
            head = longer
        }
        return head
    }

    private func setReceivers() throws(PluginError) {
        let code = sonde_curl_set_receivers(
            handle,
            { data, _, count, context in
                guard let receiver = ResponseReceiver.behind(context) else { return 0 }
                return receiver.takeHeader(UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
            },
            { data, _, count, context in
                guard let receiver = ResponseReceiver.behind(context) else { return 0 }
                return receiver.takeBody(UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
            },
            Unmanaged.passUnretained(receiver).toOpaque()
        )
        try check(code, "the callbacks")
    }

    /// Makes it connect to the end of a way and not to the receiver.
    func lead(over way: UnsafeMutablePointer<sonde_curl_way>) throws(PluginError) {
        try set(CURLOPT_URL, "https://127.0.0.1/")
        try set(CURLOPT_PROXY, "")
        try check(sonde_curl_set_way(handle, way), "CURLOPT_OPENSOCKETFUNCTION")
    }

    // CURLOPT_VERBOSE is never set: it prints the value of Authorization. CURLOPT_ACCEPT_ENCODING stays unset: nothing
    // that comes back is worth unpacking.
    private func apply(_ settings: TransportSettings) throws(PluginError) {
        try apply(settings.endpoint, as: settings.tls.serverName)
        try set(CURLOPT_USERAGENT, settings.userAgent)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.wholeMilliseconds)
        // One that moved because its old address refuses is found after ten seconds; libcurl's own default is a minute.
        try set(CURLOPT_DNS_CACHE_TIMEOUT, 10)
        // A name that moved and a certificate that changed are seen after ten minutes at the latest.
        try set(CURLOPT_MAXLIFETIME_CONN, 600)
        // Without it, ending a call waits for a resolver that hangs; the lookup then ends in its own thread.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROTOCOLS_STR, "https,http")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        // Redirects are off; should they ever be on, then without http and file. libcurl refuses an empty list here.
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        try set(CURLOPT_NETRC, sonde_curl_netrc_ignored)
        try apply(settings.tls)
        try apply(settings.endpoint.socket == nil ? settings.proxy : .none)
    }

    /// Sets where to connect to, and under which name the receiver is asked for its certificate.
    private func apply(_ endpoint: Endpoint, as name: String?) throws(PluginError) {
        if let socket = endpoint.socket { try set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        guard let name else { return try set(CURLOPT_URL, endpoint.text) }
        try set(CURLOPT_URL, endpoint.text(withHost: name))
        connectTo = Self.list([
            "\(name):\(endpoint.authority.port):\(endpoint.authority.host):\(endpoint.authority.port)"
        ])
        guard connectTo != nil else { throw .libcurl("no memory for an address") }
        try check(sonde_curl_set_list(handle, CURLOPT_CONNECT_TO, connectTo), "CURLOPT_CONNECT_TO")
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
            // Beside a configured file, the system's directory would still be trusted.
            try check(sonde_curl_set_string(handle, CURLOPT_CAPATH, nil), "CURLOPT_CAPATH")
        }
        if let file = tls.certificateFile {
            try set(CURLOPT_SSLCERT, file)
            try set(CURLOPT_SSLKEY, tls.keyFile ?? file)
            // Without one, OpenSSL prompts for that of an encrypted key on the terminal.
            try set(CURLOPT_KEYPASSWD, "")
        }
    }

    private func apply(_ authorization: Authorization.Field) throws(PluginError) {
        switch authorization {
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

    private func set(_ option: CURLoption, _ value: Int) throws(PluginError) {
        try check(sonde_curl_set_long(handle, option, value), "option \(option.rawValue)")
    }

    // libcurl copies the string.
    private func set(_ option: CURLoption, _ value: String) throws(PluginError) {
        try check(sonde_curl_set_string(handle, option, value), "option \(option.rawValue)")
    }

    private func check(_ code: CURLcode, _ what: String) throws(PluginError) {
        guard code != CURLE_OK else { return }
        throw .libcurl("libcurl refuses \(what): \(curl_easy_strerror(code).map { String(cString: $0) } ?? "")")
    }
}

/// Takes what libcurl receives.
///
/// A class, because libcurl's callbacks find it behind a pointer.
private final class ResponseReceiver {
    private(set) var head: ResponseHead
    private(set) var body = ReceivedText()
    private let limit: Int
    private var received = 0

    init(_ wanted: AnswerLimits) {
        head = ResponseHead(keeping: wanted.headers)
        limit = wanted.bytes
    }

    /// Takes a line of the header section, or of the trailers after the body; false when that is more than is read.
    ///
    /// libcurl bounds the header section; it keeps every trailer until the transfer ends, and bounds none of them.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if head.status != nil { return isWithinLimit(bytes.count) }
        head.take(Array(bytes))
        return true
    }

    /// Takes a part of the body; false when that is more than is read.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        body.append(bytes, limit: limit)
        return isWithinLimit(bytes.count)
    }

    private func isWithinLimit(_ count: Int) -> Bool {
        received = received &+ count
        return received <= limit
    }

    static func behind(_ context: UnsafeMutableRawPointer?) -> ResponseReceiver? {
        context.map { Unmanaged<ResponseReceiver>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Nanoseconds {
    /// At least 1: libcurl reads 0 as its default or as no limit.
    var wholeMilliseconds: Int { max(1, Int(value / 1_000_000)) }
}

extension PluginError {
    /// libcurl itself cannot be used.
    static func libcurl(_ message: String) -> PluginError {
        let rule = TransferFault.localResource.rule
        return PluginError(rule.code, rule.failureClass, message, hint: rule.recovery)
    }
}
