internal import SondeDomain
internal import SondePluginKit

/// Carries requests to one receiver: connections, TLS, credentials and a proxy, the same for all requests.
///
/// Independent of batches and formats. Used from the instance's thread only.
final class Transport {
    /// The secrets that were sent last, beside those of the configuration.
    var secrets: [String] { authorization.secrets }
    /// How many there have been.
    var secretCount: Int { authorization.secretCount }

    private let settings: TransportSettings
    private let authorization: Authorization
    private var session: CurlSession?

    /// A transport that has no connection yet.
    ///
    /// Reads the files with secrets, and throws where one cannot be used.
    init(_ settings: TransportSettings) throws(PluginError) {
        self.settings = settings
        authorization = Authorization(settings)
        try authorization.check()
    }

    /// Readies libcurl; once.
    func start() throws(PluginError) {
        guard session == nil else { return }
        session = try CurlSession()
    }

    /// Posts a request and waits for the answer: at most as long as the settings and the call allow.
    ///
    /// A 401 to an access token that was not fetched for this request is answered with a new one, once.
    func post(_ request: Request, _ call: PluginCall) throws(PluginError) -> Transfer {
        try start()
        let transfer = try send(request, call)
        // An access token may be taken back before its end.
        guard transfer.status == 401, !transfer.isProxyStatus, authorization.renews() else { return transfer }
        return try send(request, call)
    }

    /// Connects and sends nothing; an access token is fetched, since no request can do without.
    func connect(_ call: PluginCall) throws(PluginError) -> (Transfer, certificateEnd: Int64?) {
        try start()
        guard let session else { throw .libcurl("no session") }
        let result = try session.connect(settings, until: call.deadline, cancel: call.cancelDescriptor)
        if result.0.code == 0 {
            _ = try authorization.field(session, until: call.deadline, cancel: call.cancelDescriptor)
        }
        return result
    }

    private func send(_ request: Request, _ call: PluginCall) throws(PluginError) -> Transfer {
        guard let session else { throw .libcurl("no session") }
        let cancel = call.cancelDescriptor
        let field = try authorization.field(session, until: call.deadline, cancel: cancel)
        var request = request
        request.fields += try authorization.headers()
        return try session.post(request, settings, field, until: call.deadline, cancel: cancel)
    }
}

/// What is posted.
struct Request: Sendable {
    /// The header fields, without those that libcurl writes.
    var fields: [HeaderField]
    /// The body.
    var body: [UInt8]
    /// How much of the answer is kept.
    var answer = AnswerLimits()
}

/// How much of an answer is kept.
struct AnswerLimits: Hashable, Sendable {
    /// Names of header fields, in small letters, beside those that every answer is judged by.
    var headers: Set<String> = []
    /// How many bytes are read after the header section, body and trailers together.
    var bytes = 64 << 10
}

/// How one exchange with the receiver ended, in libcurl's terms and the receiver's.
struct Transfer: Hashable, Sendable {
    /// The `CURLcode`; 0 when libcurl found no error.
    var code: Int32
    /// `errno` of the socket call that failed, or 0.
    var systemError: Int32 = 0
    /// libcurl's own message, without secrets; may be empty.
    var detail = ""
    /// The `X509_V_ERR_…` of the receiver's certificate, or 0.
    var verifyResult = 0
    /// The status with which a proxy answered CONNECT, or 0.
    var proxyStatus = 0
    /// The receiver's header section.
    var head = ResponseHead()
    /// The beginning of the receiver's body.
    var body = ReceivedText()

    /// The status that counts: the receiver's, else one with which a proxy refused the way to it.
    var status: Int? {
        head.status ?? (proxyStatus >= 300 ? proxyStatus : nil)
    }

    /// Whether the receiver sent more than is read.
    var isCutOff: Bool { code == 23 }

    /// Whether the status is that of a proxy.
    var isProxyStatus: Bool { head.status == nil && status != nil }
}
