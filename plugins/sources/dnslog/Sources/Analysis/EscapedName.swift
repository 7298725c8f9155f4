/// Reads a name octet by octet, with its escapes decoded by the rules of its form.
struct EscapedName {
    /// One octet of a name.
    struct Octet {
        var value: UInt8
        /// Whether it is a dot between labels.
        var separates: Bool

        /// How it is written: up to four bytes, the first one lowest.
        var escaped: (bytes: UInt32, length: Int) {
            let byte = UInt32(value)
            switch value {
            case 0x2e where separates: return (byte, 1)
            case 0x2e, 0x5c: return (0x5c | byte << 8, 2)
            case 0x41...0x5a: return (byte | 0x20, 1)
            case 0x21...0x7e: return (byte, 1)
            default:
                let digits = (byte / 100, byte / 10 % 10, byte % 10)
                return (0x5c | (0x30 &+ digits.0) << 8 | (0x30 &+ digits.1) << 16 | (0x30 &+ digits.2) << 24, 4)
            }
        }
    }

    /// Whether the last octet was a dot between labels.
    private(set) var endedWithDot = false
    private let name: LogName
    private var index = 0

    init(_ name: LogName) {
        self.name = name
    }

    /// The next octet, or nil at the end.
    mutating func next() -> Octet? {
        guard let byte = nextByte() else { return nil }
        endedWithDot = false
        guard name.form != .plain, byte == 0x5c else {
            endedWithDot = byte == 0x2e
            return Octet(value: byte, separates: endedWithDot)
        }
        guard let escaped = nextByte() else { return Octet(value: byte, separates: false) }
        let first = escaped &- 0x30
        let start = index
        if first < 10, let second = nextByte(), second &- 0x30 < 10, let third = nextByte(), third &- 0x30 < 10 {
            let value = UInt16(first) &* 100 &+ UInt16(second &- 0x30) &* 10 &+ UInt16(third &- 0x30)
            if value < 256 { return Octet(value: UInt8(truncatingIfNeeded: value), separates: false) }
        }
        index = start
        return Octet(value: escaped, separates: false)
    }

    /// The next byte with the outer escapes of a quoted value undone: `\\`, `\"` and `\u0026`.
    private mutating func nextByte() -> UInt8? {
        guard index < name.bytes.count else { return nil }
        let byte = name.bytes[index]
        index &+= 1
        guard name.form == .doubled, byte == 0x5c, index < name.bytes.count else { return byte }
        let escaped = name.bytes[index]
        index &+= 1
        guard escaped == 0x75, let high = name.bytes[index &+ 2].hexadecimalDigit,
            let low = name.bytes[index &+ 3].hexadecimalDigit
        else { return escaped }
        index = min(index &+ 4, name.bytes.count)
        return high << 4 | low
    }
}
