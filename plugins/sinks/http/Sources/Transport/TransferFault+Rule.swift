internal import SondeDomain

extension TransferFault {
    /// What follows from a fault, and what a person reads.
    struct Rule: Hashable, Sendable {
        /// Stable; listed in the descriptor.
        let code: String
        /// What it means when it does not repeat.
        let failureClass: FailureClass
        /// How many in a row mean that the configuration is wrong, or nil when none do.
        var repeatsToConfiguration: Int?
        /// What happened, in one sentence.
        let meaning: String
        /// What a person can do, in one sentence.
        let recovery: String
    }

    /// The rule of this fault.
    var rule: Rule {
        switch self {
        case .nameResolution, .proxyNameResolution, .unreachable, .timeout, .connectionLost, .emptyReply, .notHTTP,
            .localResource, .other:
            networkRule
        case .handshake, .peerCertificate, .peerCertificateTime, .ownCertificate, .ownCertificateRefused, .trustStore:
            tlsRule
        }
    }

    private var networkRule: Rule {
        switch self {
        case .nameResolution:
            Rule(
                code: "SND-CRL001",
                failureClass: .transient,
                meaning: "The host name of url does not resolve.",
                recovery: "Check the name in url, and the resolver of this host."
            )
        case .proxyNameResolution:
            Rule(
                code: "SND-CRL002",
                failureClass: .transient,
                meaning: "The host name of the proxy does not resolve.",
                recovery: "Check the name in proxy, and the resolver of this host."
            )
        case .unreachable:
            Rule(
                code: "SND-CRL003",
                failureClass: .transient,
                meaning: "No connection to the receiver.",
                recovery: "Check host and port of url, that the receiver runs, and the firewalls between."
            )
        case .timeout:
            Rule(
                code: "SND-CRL004",
                failureClass: .transient,
                meaning: "The receiver did not answer in time.",
                recovery: "Look at the receiver's load; timeout and connect_timeout set the patience."
            )
        case .emptyReply:
            Rule(
                code: "SND-CRL005",
                failureClass: .transient,
                meaning: "The connection was lost before the answer.",
                recovery: "When it stays with an http:// url, the port may speak TLS: try https://."
            )
        case .notHTTP:
            Rule(
                code: "SND-CRL006",
                failureClass: .transient,
                repeatsToConfiguration: 10,
                meaning: "What answers does not speak proper HTTP.",
                recovery: "Check host and port of url: something else may listen there."
            )
        case .localResource:
            Rule(
                code: "SND-CRL007",
                failureClass: .resource,
                meaning: "This host is out of file descriptors, buffers or memory.",
                recovery: "Look at LimitNOFILE of the service and at what else uses them up."
            )
        case .other:
            Rule(
                code: "SND-CRL008",
                failureClass: .transient,
                meaning: "The exchange failed in a way that has no code of its own.",
                recovery: "The message holds libcurl's number and words; report it when they do not help."
            )
        default:
            Rule(
                code: "SND-CRL005",
                failureClass: .transient,
                meaning: "The connection was lost before the answer.",
                recovery: "Nothing to do here; look at the receiver, or what balances load before it, when it stays."
            )
        }
    }

    private var tlsRule: Rule {
        switch self {
        case .handshake:
            Rule(
                code: "SND-TLS002",
                failureClass: .transient,
                repeatsToConfiguration: 3,
                meaning: "The TLS handshake failed.",
                recovery: "Check that the port speaks TLS and offers at least tls.min_version."
            )
        case .peerCertificateTime:
            Rule(
                code: "SND-TLS003",
                failureClass: .configuration,
                meaning: "The receiver's certificate is not accepted.",
                recovery: "Check the clock of this host first, then the validity of the certificate."
            )
        case .ownCertificate:
            Rule(
                code: "SND-TLS004",
                failureClass: .configuration,
                meaning: "The agent's own certificate or key cannot be used.",
                recovery: "Check that tls.cert_file and tls.key_file are PEM and belong together."
            )
        case .ownCertificateRefused:
            Rule(
                code: "SND-TLS005",
                failureClass: .configuration,
                meaning: "The receiver wants a client certificate, or does not accept the one it got.",
                recovery: "Check tls.cert_file and tls.key_file, and whom the receiver trusts."
            )
        case .trustStore:
            Rule(
                code: "SND-TLS001",
                failureClass: .configuration,
                meaning: "A file of tls cannot be used.",
                recovery: "Check tls.ca_file; without it, that the package ca-certificates is installed."
            )
        default:
            Rule(
                code: "SND-TLS003",
                failureClass: .configuration,
                meaning: "The receiver's certificate is not accepted.",
                recovery: "Set tls.ca_file to who signed it, and check that url has the name it was issued for."
            )
        }
    }
}
