internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// One line of the log before it is spelled.
struct LogLine {
    let message: String
    let component: String?
    let error: SondeError?

    init(message: String, component: String?) {
        self.message = message
        self.component = component
        error = nil
    }

    init(_ error: SondeError) {
        message = error.message
        component = error.component
        self.error = error
    }

    /// A line such as `warning[SND-RUN001] kernel: message; next attempt in 2.1 s. Advice.` is made of it.
    func appendText(to buffer: inout ByteBuffer, level: LogLevel, suppressed: Int) {
        buffer.append(level.name)
        if let error { buffer.append("[\(error.code)]") }
        buffer.append(0x20)
        if let component { append(escaped: "\(component): ", to: &buffer) }
        append(escaped: message, to: &buffer)
        for cause in error?.cause ?? [] { append(escaped: "; because \(cause)", to: &buffer) }
        for action in error?.recovery ?? [] {
            append(escaped: "\(action.separator)\(action.sentence)\(reason(of: action))", to: &buffer)
        }
        if suppressed > 0 { buffer.append(" (\(suppressed) lines before this one were left out)") }
        buffer.append(0x0a)
    }

    /// One JSON object.
    func appendJSON(to buffer: inout ByteBuffer, level: LogLevel, time: Timestamp, suppressed: Int) {
        buffer.append(#"{"time":""#)
        buffer.append(time: time)
        buffer.append(#"","level":""#)
        buffer.append(level.name)
        buffer.append(#"","message":"#)
        buffer.append(jsonString: message)
        if let component { append("component", component, to: &buffer) }
        if let error {
            append("code", error.code.text, to: &buffer)
            append("class", error.failureClass.name, to: &buffer)
            append("stage", error.stage.rawValue, to: &buffer)
            append("cause", error.cause.joined(separator: "; "), to: &buffer)
            append("recovery", error.recovery.map { $0.sentence + reason(of: $0) }.joined(separator: "; "), to: &buffer)
        }
        if suppressed > 0 { buffer.append(",\"suppressed\":\(suppressed)") }
        buffer.append("}\n")
    }

    /// Why a wait is as long as it is, where the other side asked for one.
    private func reason(of action: RecoveryAction) -> String {
        guard case .retry = action, let reason = Backoff.reason(ofWaiting: error?.retryAfter) else { return "" }
        return " (\(reason))"
    }

    private func append(_ key: String, _ value: String, to buffer: inout ByteBuffer) {
        guard !value.isEmpty else { return }
        buffer.append(",\"\(key)\":")
        buffer.append(jsonString: value)
    }

    // Control characters, line and paragraph separators, and what turns the direction of writing: a foreign text must not
    // look like another line.
    private static func isEscaped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    private func append(escaped text: String, to buffer: inout ByteBuffer) {
        for scalar in text.unicodeScalars {
            if Self.isEscaped(scalar.value) {
                buffer.append("\\u{\(String(scalar.value, radix: 16))}")
            } else {
                buffer.append(String(scalar))
            }
        }
    }
}

extension RecoveryAction {
    /// The action as part of a sentence.
    var sentence: String {
        switch self {
        case .retry(let wait): "next attempt in \(Self.seconds(wait)) s"
        case .probe(let wait): "held until it is fixed, next probe in \(Self.seconds(wait)) s"
        case .split: "the batch is cut in halves"
        case .setAside: "the batch is set aside"
        case .refuseToStart: "the agent does not start"
        case .advise(let advice): advice
        }
    }

    /// The separator before it: hints of plugins are separate sentences, other actions continue the one before.
    fileprivate var separator: String {
        guard case .advise(let advice) = self else { return "; " }
        return Self.separator(before: advice)
    }

    private static func seconds(_ span: Nanoseconds) -> String {
        let tenths = (max(0, span.value) + 50_000_000) / 100_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
