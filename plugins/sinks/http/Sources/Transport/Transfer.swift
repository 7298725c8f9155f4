/// How one exchange with the receiver ended, in libcurl's terms and the receiver's.
struct Transfer: Hashable, Sendable {
    /// The `CURLcode`; 0 when libcurl saw nothing wrong.
    var code: Int32
    /// `errno` of the socket call that failed, or 0.
    var systemError: Int32 = 0
    /// libcurl's own words, without secrets; may be empty.
    var detail = ""
    /// The `X509_V_ERR_…` of the receiver's certificate, or 0.
    var verifyResult = 0
    /// The status with which a proxy answered CONNECT, or 0.
    var proxyStatus = 0
    /// What the receiver said.
    var head = ResponseHead()
    /// The beginning of the receiver's body.
    var body = ReceivedText()

    /// The status that counts: the receiver's, else one with which a proxy refused the way to it.
    var status: Int? {
        head.status ?? (proxyStatus >= 300 ? proxyStatus : nil)
    }

    /// Whether the status is that of a proxy.
    var isProxyStatus: Bool { head.status == nil && status != nil }
}
