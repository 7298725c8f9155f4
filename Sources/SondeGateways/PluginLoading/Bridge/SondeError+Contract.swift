internal import CSondePlugin
internal import SondeDomain

extension sonde_error {
    /// In the contract's form for a call.
    static var empty: sonde_error {
        var error = sonde_error()
        error.struct_size = UInt32(MemoryLayout<sonde_error>.size)
        error.retry_after_ns = Int64(SONDE_RETRY_AFTER_NONE)
        return error
    }
}

extension SondeError {
    /// The message of a failure for which the plugin has none.
    static let noReason = "the plugin failed and gives no reason"

    /// What a plugin reports of a call that failed.
    init(_ error: sonde_error, _ stage: Stage, component: String) {
        let code = withUnsafeBytes(of: error.code) { String(field: $0) }
        let message = withUnsafeBytes(of: error.message) { String(field: $0) }
        let hint = withUnsafeBytes(of: error.hint) { String(field: $0) }
        let option = withUnsafeBytes(of: error.option_path) { String(field: $0) }
        self.init(
            Self.isCode(code) ? ErrorCode(code) : .pluginErrorUnnamed,
            stage: stage,
            class: FailureClass(rawValue: error.error_class) ?? .programmer,
            message: message.isEmpty ? Self.noReason : message,
            recovery: hint.isEmpty ? [] : [.advise(hint)],
            component: component,
            optionPath: option.isEmpty ? nil : option,
            retryAfter: error.retry_after_ns >= 0 ? Nanoseconds(error.retry_after_ns) : nil
        )
    }

    /// What a plugin did that the contract forbids.
    init(_ breach: ContractBreach, _ stage: Stage, component: String) {
        self.init(
            .pluginContractBroken,
            stage: stage,
            class: .programmer,
            message: "the plugin \(breach.text)",
            recovery: [.advise("report it to the plugin's author")],
            component: component
        )
    }

    /// Codes are used in logs and in documentation: capitals, digits and hyphens only.
    private static func isCode(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }
}
