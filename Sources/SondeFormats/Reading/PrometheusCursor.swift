internal import SondeDomain

/// Reads one line of a sample: `name{label="value"} value time`.
struct PrometheusCursor {
    struct Sample {
        let name: String
        let attributes: [Attribute]
        /// Nil: not a number.
        let value: SampleValue?
        let time: Timestamp?
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ line: ArraySlice<UInt8>) { (bytes, index) = (line, line.startIndex) }

    private var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    mutating func sample() throws(LineFlaw) -> Sample {
        skipSpaces()
        let name = try word("a name")
        var attributes: [Attribute] = []
        skipSpaces()
        if take(0x7b) { attributes = try labels() }
        skipSpaces()
        guard let text = text(), let value = Self.value(text) else { throw LineFlaw("has no value that is a number") }
        skipSpaces()
        let time = try time()
        return Sample(name: name, attributes: attributes, value: value.number, time: time)
    }

    /// The bound of a bucket; `+Inf` is one.
    static func bound(_ text: String) -> Double? {
        text == "+Inf" ? .infinity : DecimalText.double(text)
    }

    private mutating func labels() throws(LineFlaw) -> [Attribute] {
        var attributes: [Attribute] = []
        while true {
            skipSpaces()
            if take(0x7d) { return attributes }
            let name = try word("a label")
            skipSpaces()
            guard take(0x3d) else { throw LineFlaw("has a label without a value") }
            skipSpaces()
            guard take(0x22) else { throw LineFlaw("has a label without a value") }
            let value = try quoted()
            guard attributes.count <= LinePoint.attributeLimit else { throw LineFlaw("has too many labels") }
            // An empty label is an absent one.
            if !value.isEmpty { attributes.append(Attribute(name, value)) }
            skipSpaces()
            guard take(0x2c) || byte == 0x7d else { throw LineFlaw("has labels without an end") }
        }
    }

    private mutating func quoted() throws(LineFlaw) -> String {
        var text: [UInt8] = []
        while let byte {
            index += 1
            switch byte {
            case 0x22:
                guard let valid = String(validating: text, as: UTF8.self) else { throw LineFlaw("is no UTF-8") }
                return valid
            case 0x5c:
                guard let escaped = self.byte else { throw LineFlaw("has labels without an end") }
                index += 1
                // A line break cannot be the value of an attribute.
                text.append(escaped == 0x6e ? 0x20 : escaped)
            default: text.append(byte)
            }
        }
        throw LineFlaw("has labels without an end")
    }

    private mutating func word(_ what: String) throws(LineFlaw) -> String {
        let start = index
        while let byte, Self.isNameByte(byte) { index += 1 }
        guard index > start, let first = bytes[start...].first, !(0x30...0x39).contains(first) else {
            throw LineFlaw("has no \(what.dropFirst(2)) where one belongs")
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// What there is up to a space.
    private mutating func text() -> String? {
        let start = index
        while let byte, byte != 0x20, byte != 0x09 { index += 1 }
        return index > start ? String(validating: bytes[start..<index], as: UTF8.self) : nil
    }

    private static func value(_ text: String) -> (number: SampleValue?, Void)? {
        if text == "NaN" { return (nil, ()) }
        if let number = Int64(text), text.utf8.first != 0x2b { return (.signed(number), ()) }
        if let number = UInt64(text) { return (.unsigned(number), ()) }
        return DecimalText.double(text).map { (.double($0), ()) }
    }

    /// Milliseconds of the text format, or seconds of OpenMetrics, which have a point or are much less.
    private mutating func time() throws(LineFlaw) -> Timestamp? {
        guard byte != nil, byte != 0x23 else { return nil }
        guard let text = text(), let number = DecimalText.double(text) else {
            throw LineFlaw("has a time that is none")
        }
        let isSeconds = text.utf8.contains(0x2e) || abs(number) < 1e11
        let nanoseconds = number * (isSeconds ? 1e9 : 1e6)
        guard abs(nanoseconds) < 0x1p63 else { throw LineFlaw("has a time that is none") }
        return Timestamp(nanoseconds: Int64(nanoseconds))
    }

    private mutating func skipSpaces() {
        while let byte, byte == 0x20 || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        index += 1
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x2e: true
        default: false
        }
    }
}
