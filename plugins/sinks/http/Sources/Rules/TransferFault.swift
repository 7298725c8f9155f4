internal import SondeDomain

/// Why no answer came: the kinds of faults that differ in what follows from them.
///
/// libcurl's codes as measured with 7.88.1. A code alone is ambiguous: 56 is a reset, a refused certificate or a reply
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

    /// The fault of a transfer without a status.
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

extension TransferFault {
    /// What follows from a fault, and what a person reads.
    struct Rule: Hashable, Sendable {
        /// Stable; listed in the descriptor.
        let code: String
        /// What it means when it does not repeat.
        let failureClass: FailureClass
        /// How many in a row mean that the configuration is wrong, or nil when none do.
        let repeatsToConfiguration: Int?
        /// What happened, in one sentence.
        let meaning: String
        /// What a person can do, in one sentence.
        let recovery: String

        fileprivate init(
            _ code: String, _ failureClass: FailureClass, repeatsToConfiguration: Int? = nil, _ meaning: String,
            _ recovery: String
        ) {
            self.code = code
            self.failureClass = failureClass
            self.repeatsToConfiguration = repeatsToConfiguration
            self.meaning = meaning
            self.recovery = recovery
        }
    }

    /// The rule of this fault.
    var rule: Rule {
        switch self {
        case .nameResolution:
            Rule(
                "SND-CRL001", .transient,
                "The host name of url does not resolve.",
                "Check the name in url, and the resolver of this host.")
        case .proxyNameResolution:
            Rule(
                "SND-CRL002", .transient,
                "The host name of the proxy does not resolve.",
                "Check the name in proxy, and the resolver of this host.")
        case .unreachable:
            Rule(
                "SND-CRL003", .transient,
                "No connection to the receiver.",
                "Check host and port of url, that the receiver runs, and the firewalls between.")
        case .timeout:
            Rule(
                "SND-CRL004", .transient,
                "The receiver did not answer in time.",
                "Look at the receiver's load; timeout and connect_timeout set the limits.")
        case .connectionLost:
            Rule(
                "SND-CRL005", .transient,
                "The connection was lost before the answer.",
                "Nothing to do here; look at the receiver, or what balances load before it, when it stays.")
        case .emptyReply:
            Rule(
                "SND-CRL005", .transient,
                "The connection was lost before the answer.",
                "When it stays with an http:// url, the port may speak TLS: try https://.")
        case .notHTTP:
            Rule(
                "SND-CRL006", .transient, repeatsToConfiguration: 10,
                "What answers does not speak proper HTTP.",
                "Check host and port of url: something else may listen there.")
        case .handshake:
            Rule(
                "SND-TLS002", .transient, repeatsToConfiguration: 3,
                "The TLS handshake failed.",
                "Check that the port speaks TLS and offers at least tls.min_version.")
        case .peerCertificate:
            Rule(
                "SND-TLS003", .configuration,
                "The receiver's certificate is not accepted.",
                "Set tls.ca_file to who signed it, and check that url has the name it was issued for.")
        case .peerCertificateTime:
            Rule(
                "SND-TLS003", .configuration,
                "The receiver's certificate is not accepted.",
                "Check the clock of this host first, then the validity of the certificate.")
        case .ownCertificate:
            Rule(
                "SND-TLS004", .configuration,
                "The agent's own certificate or key cannot be used.",
                "Check that tls.cert_file and tls.key_file are PEM and belong together.")
        case .ownCertificateRefused:
            Rule(
                "SND-TLS005", .configuration,
                "The receiver wants a client certificate, or does not accept the one it got.",
                "Check tls.cert_file and tls.key_file, and whom the receiver trusts.")
        case .trustStore:
            Rule(
                "SND-TLS001", .configuration,
                "A file of tls cannot be used.",
                "Check tls.ca_file; without it, that the package ca-certificates is installed.")
        case .localResource:
            Rule(
                "SND-CRL007", .resource,
                "This host is out of file descriptors, buffers or memory.",
                "Look at LimitNOFILE of the service and at what else uses them up.")
        case .other:
            Rule(
                "SND-CRL008", .transient,
                "The exchange failed in a way without a specific code.",
                "The message holds libcurl's number and words; report it when they do not help.")
        }
    }
}

/// How often in a row the same fault came back.
///
/// A single broken handshake is a restart on the other side; the third in a row is a wrong port.
struct FaultStreak: Sendable {
    private var fault: TransferFault?
    private var length = 0

    /// An answer came, or another outcome that does not concern the configuration.
    mutating func end() {
        fault = nil
        length = 0
    }

    /// Counts a fault and returns what it means now.
    mutating func failureClass(of fault: TransferFault) -> FailureClass {
        length = fault == self.fault ? length &+ 1 : 1
        self.fault = fault
        let rule = fault.rule
        guard let bound = rule.repeatsToConfiguration, length >= bound else { return rule.failureClass }
        return .configuration
    }
}

extension Collection where Element == UInt8 {
    /// Whether `part` is in it, byte for byte.
    func hasPart(_ part: String) -> Bool {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.starts(with: part.utf8) { return true }
            rest = rest.dropFirst()
        }
        return part.isEmpty
    }
}
