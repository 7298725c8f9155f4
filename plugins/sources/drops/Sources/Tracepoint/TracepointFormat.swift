internal import SondeDomain

/// Where the fields of a tracepoint's record are, as the kernel describes it in the file `format`.
///
/// The text is the kernel's, and it is read like anybody's: what cannot be is left out or refused.
struct TracepointFormat: Hashable {
    /// A field.
    struct Field: Hashable {
        /// From the beginning of the record, in bytes.
        var offset: Int
        /// In bytes.
        var size: Int

        /// How it is loaded whole; nil: it is no number, or it does not lie as numbers do.
        var width: Width? {
            guard let width = Width(bytes: size), offset % size == 0 else { return nil }
            return width
        }
    }

    /// How long a text may be; the longest of Linux 6.18 that is read here has 7,000 bytes.
    static let longestText = 65_536
    // PERF_MAX_TRACE_SIZE of Linux before 6.1: nothing lies behind it.
    private static let longestRecord = 2_048
    private static let mostFields = 128

    /// The tracepoint's name.
    let name: String
    /// Fields by name, of several with one name the first.
    let fields: [String: Field]
    /// How the record is printed: names of numbers are there.
    let printed: [UInt8]

    /// Reads a text; nil: it is no format of that tracepoint.
    init?(_ text: [UInt8], of name: String) {
        guard text.count <= Self.longestText else { return nil }
        var fields: [String: Field] = [:]
        var found: String?
        var printed: ArraySlice<UInt8> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            if let rest = line.without("name: ") { found = found ?? rest.text }
            if let rest = line.without("print fmt: ") { printed = rest }
            guard fields.count < Self.mostFields, let (name, field) = Self.field(line), fields[name] == nil else {
                continue
            }
            fields[name] = field
        }
        guard found == name, !fields.isEmpty else { return nil }
        self.name = name
        self.fields = fields
        self.printed = Array(printed)
    }

    // `field:enum skb_drop_reason reason;	offset:36;	size:4;	signed:0;`
    private static func field(_ line: ArraySlice<UInt8>) -> (String, Field)? {
        let parts = line.split(separator: UInt8(ascii: ";")).map { $0.trimmed }
        guard parts.count >= 3, let declaration = parts[0].without("field:"),
            let offset = parts[1].without("offset:").flatMap(Self.number),
            let size = parts[2].without("size:").flatMap(Self.number)
        else { return nil }
        guard size > 0, size <= longestRecord, offset <= longestRecord - size else { return nil }
        // Of an array the dimension is behind the name.
        let words = declaration.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "*") }
        guard words.count >= 2, let word = words.last else { return nil }
        let name = word.prefix { $0 != UInt8(ascii: "[") }
        guard !name.isEmpty, name.count <= 64 else { return nil }
        return (name.text, Field(offset: offset, size: size))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? { digits.decimal.flatMap(Int.init(exactly:)) }
}

extension ArraySlice<UInt8> {
    /// What follows a text that this begins with; nil: it does not.
    func without(_ text: StaticString) -> ArraySlice<UInt8>? {
        text.withUTF8Buffer { starts(with: $0) ? dropFirst($0.count) : nil }
    }

    /// It as text; see ``ByteText``.
    var text: String { withUnsafeBytes(ByteText.spelled) }

    /// Without blanks at both ends.
    var trimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    /// The number that these digits are, and nothing else; nil: another text, or more than 32 bits.
    var decimal: UInt32? {
        guard !isEmpty, count <= 10 else { return nil }
        var value: UInt64 = 0
        for byte in self {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + UInt64(digit)
        }
        return UInt32(exactly: value)
    }
}
