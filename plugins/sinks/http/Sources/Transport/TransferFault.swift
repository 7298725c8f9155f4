/// Why no answer came: the kinds of faults that differ in what follows from them.
///
/// libcurl's codes as measured with 7.88.1. A code alone does not tell: 56 is a reset, a refused certificate or a reply
/// that is no HTTP, and 27 ("out of memory") is an overlong header line, never a lack of memory here.
enum TransferFault: Hashable, Sendable, CaseIterable {
    case nameResolution
    case proxyNameResolution
    case unreachable
    case timeout
    case connectionLost
    case emptyReply
    case notHTTP
    case handshake
    case peerCertificate
    case peerCertificateTime
    case ownCertificate
    case ownCertificateRefused
    case trustStore
    case localResource
    case other

    /// The fault behind a transfer that brought no status.
    init(_ transfer: Transfer) {
        switch transfer.code {
        case 5: self = .proxyNameResolution
        case 6: self = .nameResolution
        case 7: self = Self.isLocal(transfer.systemError) ? .localResource : .unreachable
        case 28: self = transfer.detail.utf8.hasPart("Resolving timed out") ? .nameResolution : .timeout
        case 52: self = .emptyReply
        case 16, 18, 55, 92, 95: self = .connectionLost
        case 56: self = Self.receiveFault(transfer)
        case 0, 1, 8, 27, 61: self = .notHTTP
        case 35: self = Self.wasCutOff(transfer) ? .connectionLost : .handshake
        case 60: self = Self.isAboutTime(transfer) ? .peerCertificateTime : .peerCertificate
        case 58: self = .ownCertificate
        case 77: self = .trustStore
        case 2: self = .localResource
        default: self = .other
        }
    }

    private static func receiveFault(_ transfer: Transfer) -> TransferFault {
        if wasCutOff(transfer) { return .connectionLost }
        return transfer.detail.utf8.hasPart("alert") ? .ownCertificateRefused : .notHTTP
    }

    // Over TLS libcurl reports no errno, and OpenSSL's words are all there is.
    private static func wasCutOff(_ transfer: Transfer) -> Bool {
        let words = transfer.detail.utf8
        return transfer.systemError != 0
            || ["reset by peer", "SSL_ERROR_SYSCALL", "unexpected eof", "Broken pipe"].contains { words.hasPart($0) }
    }

    // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED (openssl/x509_vfy.h)
    private static func isAboutTime(_ transfer: Transfer) -> Bool {
        transfer.verifyResult == 9 || transfer.verifyResult == 10
            || ["not yet valid", "expired"].contains { transfer.detail.utf8.hasPart($0) }
    }

    // EMFILE, ENFILE, ENOMEM, ENOBUFS
    private static func isLocal(_ systemError: Int32) -> Bool {
        [24, 23, 12, 105].contains(systemError)
    }
}

extension Collection where Element == UInt8 {
    /// Whether `part` stands in it, byte for byte.
    func hasPart(_ part: String) -> Bool {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.starts(with: part.utf8) { return true }
            rest = rest.dropFirst()
        }
        return part.isEmpty
    }
}
