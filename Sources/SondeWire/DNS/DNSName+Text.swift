extension DNSName {
    /// The name as people write it, in lower case and without the last dot; `.` for the root.
    ///
    /// Octets that are no printable ASCII, and dots and backslashes within a label, are escaped (RFC 1035, section 5.1).
    public var text: String {
        var text: [UInt8] = []
        text.reserveCapacity(octetCount)
        var walk = Walk(position: offset)
        while let length = try? walk.nextLabel(in: message) {
            if !text.isEmpty { text.append(UInt8(ascii: ".")) }
            Self.append(message.dropping(walk.position &+ 1).prefix(length), to: &text)
            walk.pass(length)
        }
        return text.isEmpty ? "." : String(decoding: text, as: UTF8.self)
    }

    /// The text of the one uncompressed name in `wire`, or nil when there is none.
    public static func text(ofUncompressed wire: UnsafeRawBufferPointer) -> String? {
        (try? DNSName(in: WireBytes(wire), at: 0))?.text
    }

    private static func append(_ label: WireBytes, to text: inout [UInt8]) {
        for byte in label.buffer {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): text.append(byte | 0x20)
            case 0x21...0x7e: text.append(byte)
            default: text += [UInt8(ascii: "\\"), digit(byte / 100), digit(byte / 10 % 10), digit(byte % 10)]
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        UInt8(ascii: "0") &+ value
    }
}
