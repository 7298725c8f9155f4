/// The fixed 12 bytes in front of every DNS message (RFC 1035, section 4.1.1).
public struct DNSHeader: Equatable, Sendable {
    /// How long a header is.
    public static let size = 12

    /// The client's id, by which it recognizes the answer.
    public let id: UInt16
    /// QR, opcode, AA, TC, RD, RA, AD, CD and the low four bits of the response code.
    public let flags: DNSFlags
    /// How many questions follow (QDCOUNT); an update names its zone there.
    public let questionCount: UInt16
    /// How many answer records follow (ANCOUNT).
    public let answerCount: UInt16
    /// How many authority records follow (NSCOUNT).
    public let authorityCount: UInt16
    /// How many additional records follow (ARCOUNT), OPT among them.
    public let additionalCount: UInt16

    /// The header at the beginning of `message`, or nil when it is shorter.
    @inline(__always)
    public init?(_ message: WireBytes) {
        guard message.has(Self.size) else { return nil }
        id = message.unchecked16(0)
        flags = DNSFlags(rawValue: message.unchecked16(2))
        questionCount = message.unchecked16(4)
        answerCount = message.unchecked16(6)
        authorityCount = message.unchecked16(8)
        additionalCount = message.unchecked16(10)
    }

    /// Records of the three sections together.
    public var recordCount: Int {
        Int(answerCount) &+ Int(authorityCount) &+ Int(additionalCount)
    }
}

extension DNSHeader {
    /// The shortest question: the root name, type and class.
    private static let shortestQuestion = 5
    /// The shortest record: the root name, type, class, time to live and length.
    private static let shortestRecord = 11
    /// More questions than any resolver or multicast responder puts into one message.
    private static let mostQuestions = 256

    /// Whether the counts cannot be true of a message of `length` bytes.
    @inline(__always)
    func isAbsurd(length: Int) -> Bool {
        let questions = Int(questionCount)
        let needed = Self.size &+ questions &* Self.shortestQuestion &+ recordCount &* Self.shortestRecord
        return questions > Self.mostQuestions || needed > length
    }

    /// Whether it is a query of the standard kind that announces nothing.
    ///
    /// A query without question is sound when it has records: it may carry a cookie (RFC 7873, section 5.4).
    @inline(__always)
    var asksNothing: Bool {
        // Nearly every message has a question.
        guard questionCount == 0 else { return false }
        return recordCount == 0 && !flags.contains(.response) && flags.opcode == .query
    }
}

/// The second 16 bits of a DNS header (RFC 1035, section 4.1.1; AD and CD: RFC 4035).
public struct DNSFlags: OptionSet, Sendable, Hashable {
    /// The bits as they came.
    public let rawValue: UInt16

    /// Flags of the bits as they came.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// QR: a response, not a query.
    @inlinable public static var response: DNSFlags { DNSFlags(rawValue: 0x8000) }
    /// AA: the responder is an authority for the name.
    @inlinable public static var authoritative: DNSFlags { DNSFlags(rawValue: 0x0400) }
    /// TC: the message was cut to fit the transport.
    @inlinable public static var truncated: DNSFlags { DNSFlags(rawValue: 0x0200) }
    /// RD: the client asks for recursion.
    @inlinable public static var recursionDesired: DNSFlags { DNSFlags(rawValue: 0x0100) }
    /// RA: the responder offers recursion.
    @inlinable public static var recursionAvailable: DNSFlags { DNSFlags(rawValue: 0x0080) }
    /// AD: the data is authenticated.
    @inlinable public static var authenticData: DNSFlags { DNSFlags(rawValue: 0x0020) }
    /// CD: the asker checks signatures itself.
    @inlinable public static var checkingDisabled: DNSFlags { DNSFlags(rawValue: 0x0010) }

    /// What kind of message it is.
    @inlinable
    public var opcode: DNSOpcode {
        DNSOpcode(rawValue: UInt8(truncatingIfNeeded: (rawValue >> 11) & 15))
    }

    /// The low four bits of the response code; the others are in OPT.
    @inlinable
    public var lowResponseCode: UInt16 {
        rawValue & 15
    }
}

/// What kind of DNS message one is (IANA, DNS OpCodes).
public struct DNSOpcode: RawRepresentable, Hashable, Sendable {
    /// The number, 0 to 15.
    public let rawValue: UInt8

    /// The opcode of a number.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A standard query.
    @inlinable public static var query: DNSOpcode { DNSOpcode(rawValue: 0) }

    /// IANA's name in capitals, or `OPCODE7` where there is none.
    public var mnemonic: String {
        Self.mnemonic(rawValue) ?? "OPCODE\(rawValue)"
    }

    /// IANA's name, or `other` where there is none.
    public var attribute: String {
        Self.mnemonic(rawValue) ?? "other"
    }

    private static func mnemonic(_ number: UInt8) -> String? {
        switch number {
        case 0: "QUERY"
        case 1: "IQUERY"
        case 2: "STATUS"
        case 4: "NOTIFY"
        case 5: "UPDATE"
        case 6: "DSO"
        default: nil
        }
    }
}
