internal import SondeDomain
internal import SondePluginKit

/// Puts failed deliveries into words: class, code, the receiver's text, what a person can do.
struct DeliveryError: Sendable {
    /// How many characters of the receiver's body are shown.
    private static let shownBody = 300
    // Tags are left out, and what is shown may begin late.
    private static let longestSearched = 16 << 10
    /// A certificate whose time is wrong may be right in a minute: clocks are set after boot.
    private static let clockPatience = Nanoseconds.seconds(60)

    /// What may be shown of the address.
    let address: String
    /// What may not be shown of anything.
    let redaction: Redaction

    /// The error for a status that is no success by `rule`; nil for one that is.
    func forStatus(_ status: Int, _ rule: StatusRule, of transfer: Transfer) -> PluginError? {
        let wait = RetryAfter.wait(transfer.head)
        guard let failureClass = rule.failureClass(asksToWait: wait != nil) else { return nil }
        return PluginError(
            StatusRule.code(of: status),
            failureClass,
            message(status, transfer),
            hint: rule.recovery,
            retryAfter: [.transient, .rateLimited].contains(failureClass) ? wait : nil
        )
    }

    /// The error where the receiver wants neither of two forms of a batch.
    func forForms() -> PluginError {
        PluginError(
            StatusRule.code(of: 415), .configuration, "\(address) takes the batch in no version of the format",
            hint: "Check the path of url; set version to the one that the receiver takes.")
    }

    /// The error for a body that is too long to be sent; its batch is halved.
    func forBody(of count: Int, limit: Int) -> PluginError {
        PluginError(
            StatusRule.code(of: 413), .tooLarge,
            "the body would have \(count) bytes, and max_body is \(limit): nothing was sent to \(address)",
            hint: "Raise max_body where the receiver takes more, or lower batch.bytes.", optionPath: "max_body")
    }

    /// The error for a transfer that brought no status.
    func forFault(_ fault: TransferFault, _ failureClass: FailureClass, of transfer: Transfer) -> PluginError {
        let rule = fault.rule
        let words = shown(ReceivedText(transfer.detail.utf8), limit: Self.shownBody)
        let number = "libcurl \(transfer.code)"
        return PluginError(
            rule.code,
            failureClass,
            "\(address): \(rule.meaning.withoutPeriod) (\(words.isEmpty ? number : "\(number): \(words)"))",
            hint: rule.recovery,
            optionPath: fault.optionPath,
            retryAfter: fault == .peerCertificateTime ? Self.clockPatience : nil
        )
    }

    /// The error for a certificate of the receiver that ends in so many days.
    func forCertificate(_ days: Int64) -> PluginError {
        PluginError(
            Self.certificateEnds.code, .transient,
            "\(address): the receiver's certificate ends in \(days == 1 ? "1 day" : "\(days) days")",
            hint: Self.certificateEnds.recovery)
    }

    /// What is reported of a certificate before it ends, by `sonde doctor` alone.
    static let certificateEnds = (
        code: "SND-TLS006", meaning: "The receiver's certificate ends within two weeks.",
        recovery: "Have it renewed at the receiver; from its end on nothing is delivered."
    )

    /// What the receiver has answered, in one line.
    func message(_ status: Int, _ transfer: Transfer) -> String {
        let reason = shown(transfer.head.reason, limit: 64)
        var message = "HTTP \(status)" + (reason.isEmpty ? "" : " \(reason)")
        message += transfer.isProxyStatus ? " from the proxy on the way to \(address)" : " from \(address)"
        if (300...399).contains(status), let location = transfer.head.values("location").first {
            // Its query may hold another party's token.
            let address = redaction.hiding(location).prefix { $0 != 0x3f && $0 != 0x23 }
            message += " to \(ForeignText.sentence(Array(address), limit: Self.shownBody))"
        }
        let body = shown(transfer.body, limit: Self.shownBody)
        return body.isEmpty ? message : "\(message): \(body)"
    }

    /// What the receiver says of points that it has refused, in one line.
    func message(_ status: Int, _ words: ReceivedText) -> String {
        "HTTP \(status): \(shown(words, limit: Self.shownBody))"
    }

    /// A text with words of the receiver in it, in one line.
    func words(_ text: String) -> String {
        shown(ReceivedText(text.utf8), limit: Self.shownBody)
    }

    private func shown(_ text: ReceivedText, limit: Int) -> String {
        ForeignText.sentence(redaction.hiding(text.prefix(Self.longestSearched)), limit: limit)
    }
}

extension TransferFault {
    /// The option that caused the fault, or "".
    fileprivate var optionPath: String {
        switch self {
        case .ownCertificate: "tls.cert_file"
        case .trustStore: "tls.ca_file"
        default: ""
        }
    }
}

extension String {
    /// The sentence to continue with.
    fileprivate var withoutPeriod: String {
        hasSuffix(".") ? String(dropLast()) : self
    }
}
