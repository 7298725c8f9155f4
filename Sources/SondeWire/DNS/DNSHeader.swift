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
        questionCount == 0 && recordCount == 0 && !flags.contains(.response) && flags.opcode == .query
    }
}
