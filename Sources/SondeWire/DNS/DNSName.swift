/// A domain name in a DNS message, with every pointer followed once and found sound.
///
/// A view: nothing is copied. Pointers lead strictly backwards, so that no name is endless (RFC 9267, section 2).
public struct DNSName {
    /// The most octets of a name, length octets and the root's included (RFC 1035, section 2.3.4).
    public static let mostOctets = 255
    /// The most pointers that are followed in one name.
    public static let mostPointers = 16

    let message: WireBytes
    /// Where the name begins in its message.
    public let offset: Int
    /// Where what follows the name begins.
    public let end: Int
    /// How many octets the name has without compression, 1 for the root.
    public let octetCount: Int
    /// How many labels and pointers were looked at.
    let stepCount: Int

    /// The name at `offset` of `message`.
    ///
    /// Throws a ``DNSMalformation`` when there is none.
    public init(in message: WireBytes, at offset: Int) throws(DNSMalformation) {
        guard offset >= 0 else { throw .pastEnd }
        var walk = Walk(position: offset)
        while let length = try walk.nextLabel(in: message) { walk.pass(length) }
        self.message = message
        self.offset = offset
        end = walk.end
        octetCount = walk.octets
        stepCount = walk.labels &+ walk.pointers
    }

    /// Where what follows the name at `offset` begins, without a look at where its pointer leads.
    static func end(in message: WireBytes, at offset: Int) throws(DNSMalformation) -> Int {
        var position = offset
        while message.has(1, at: position) {
            let length = message.unchecked8(position)
            if length == 0 { return position &+ 1 }
            if length >= 0xc0 {
                guard message.has(2, at: position) else { break }
                return position &+ 2
            }
            guard length < 0x40 else { throw .labelType }
            guard position &- offset < mostOctets else { throw .nameTooLong }
            position &+= Int(length) &+ 1
        }
        throw .pastEnd
    }
}

extension DNSName {
    /// A position that moves along a name.
    struct Walk {
        var position: Int
        /// Where the labels being read begin: a pointer must lead to before them.
        private var runStart: Int
        private(set) var pointers = 0
        /// Where the name ends in the message: after the root, or after the first pointer.
        private(set) var end = -1
        private(set) var octets = 1
        private(set) var labels = 0

        init(position: Int) {
            self.position = position
            runStart = position
        }

        /// The length of the label at the position, after any pointers, or nil at the root.
        @inline(__always)
        mutating func nextLabel(in message: WireBytes) throws(DNSMalformation) -> Int? {
            while true {
                guard message.has(1, at: position) else { throw .pastEnd }
                let length = message.unchecked8(position)
                if length == 0 {
                    if end < 0 { end = position &+ 1 }
                    return nil
                }
                if length < 0x40 {
                    octets &+= Int(length) &+ 1
                    labels &+= 1
                    guard octets <= DNSName.mostOctets else { throw .nameTooLong }
                    return Int(length)
                }
                guard length >= 0xc0 else { throw .labelType }
                try follow(in: message)
            }
        }

        /// Steps over the label of `length` octets.
        @inline(__always)
        mutating func pass(_ length: Int) {
            position &+= length &+ 1
        }

        private mutating func follow(in message: WireBytes) throws(DNSMalformation) {
            guard message.has(2, at: position) else { throw .pastEnd }
            if end < 0 { end = position &+ 2 }
            let target = Int(message.unchecked16(position) & 0x3fff)
            guard target < runStart, target >= DNSHeader.size else { throw .pointerNotBackwards }
            pointers &+= 1
            guard pointers <= DNSName.mostPointers else { throw .tooManyPointers }
            runStart = target
            position = target
        }
    }
}

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
