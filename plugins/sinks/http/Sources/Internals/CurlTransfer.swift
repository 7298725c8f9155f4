internal import CCurl
internal import SondePluginKit

/// One exchange: an easy handle of its own, so that nothing of the one before it is left standing.
///
/// libcurl keeps errno, options and TLS results in the handle; connections live in the session and are shared.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let receiver: ResponseReceiver
    private var fields: CurlFieldList?

    init(receiver: ResponseReceiver) throws(PluginError) {
        guard let handle = curl_easy_init() else { throw .libcurl("curl_easy_init failed") }
        self.handle = handle
        self.receiver = receiver
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(sonde_curl_set_error_buffer(handle, errorText), "CURLOPT_ERRORBUFFER")
        try setReceivers()
    }

    deinit {
        curl_easy_cleanup(handle)
        errorText.deallocate()
    }

    /// Sets a numeric option.
    func set(_ option: CURLoption, _ value: Int) throws(PluginError) {
        try check(sonde_curl_set_long(handle, option, value), "option \(option.rawValue)")
    }

    /// Sets a string option; libcurl copies it.
    func set(_ option: CURLoption, _ value: String) throws(PluginError) {
        try check(sonde_curl_set_string(handle, option, value), "option \(option.rawValue)")
    }

    /// Sets the lines of the header section; they stay as long as the transfer.
    func setFields(_ lines: [String]) throws(PluginError) {
        guard let list = CurlFieldList(lines) else { throw .libcurl("no memory for header fields") }
        fields = list
        try check(sonde_curl_set_list(handle, CURLOPT_HTTPHEADER, list.head), "CURLOPT_HTTPHEADER")
    }

    /// Sets the body, which must stay until the transfer is over.
    func setBody(_ body: UnsafeBufferPointer<UInt8>) throws(PluginError) {
        try check(sonde_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)), "the body's size")
        try check(sonde_curl_set_body(handle, body.baseAddress), "CURLOPT_POSTFIELDS")
    }

    /// What came of it when libcurl says `code`.
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

    private func fact(_ info: CURLINFO) -> Int {
        max(0, sonde_curl_get_long(handle, info))
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

    private func check(_ code: CURLcode, _ what: String) throws(PluginError) {
        guard code != CURLE_OK else { return }
        throw .libcurl("libcurl refuses \(what): \(curl_easy_strerror(code).map { String(cString: $0) } ?? "")")
    }
}

extension PluginError {
    /// libcurl itself cannot be used.
    static func libcurl(_ message: String) -> PluginError {
        let rule = TransferFault.localResource.rule
        return PluginError(rule.code, rule.failureClass, message, hint: rule.recovery)
    }
}
