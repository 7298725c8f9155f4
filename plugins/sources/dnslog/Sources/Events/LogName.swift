/// A domain name as a log has it.
struct LogName {
    /// How names are escaped.
    enum Form: UInt8 {
        /// Not at all, or so that it cannot be undone.
        case plain
        /// As in RFC 1035, section 5.1.
        case escaped
        /// So, and then every backslash doubled.
        case doubled
        /// There was a name, and it was too long to be kept.
        case lost
    }

    var bytes = LogBytes.none
    var form = Form.plain

    @inline(__always)
    init() {}

    @inline(__always)
    init(_ bytes: LogBytes, _ form: Form = .plain) {
        self.bytes = bytes
        self.form = form
    }

    /// A name that is known beforehand.
    init(_ text: StaticString) {
        bytes = LogBytes(base: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Whether the log contains the name.
    @inline(always)
    var isKnown: Bool { bytes.count > 0 }
}
