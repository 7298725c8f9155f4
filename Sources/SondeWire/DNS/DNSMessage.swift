/// A DNS message, whose sections are walked on demand (RFC 1035, section 4).
///
/// A view: nothing is copied. To count messages read a ``DNSSummary``, which costs less.
public struct DNSMessage {
    let bytes: WireBytes
    /// The fixed fields in front.
    public let header: DNSHeader

    /// The message in `bytes`, of which only the header has been read.
    ///
    /// Throws a ``DNSMalformation`` when there is no header, or when its counts are impossible or all zero.
    public init(_ bytes: WireBytes) throws(DNSMalformation) {
        guard let header = DNSHeader(bytes) else { throw .shortHeader }
        guard !header.isAbsurd(length: bytes.count) else { throw .absurdCount }
        guard !header.asksNothing else { throw .asksNothing }
        self.bytes = bytes
        self.header = header
    }

    /// A reader before the first question.
    public var reader: DNSReader { DNSReader(self) }
}

/// Walks the sections of a message in their order, and no further than it is asked to.
public struct DNSReader {
    private let bytes: WireBytes
    private var position = DNSHeader.size
    private var questionsLeft: Int
    private var recordsLeft: (answer: Int, authority: Int, additional: Int)

    init(_ message: DNSMessage) {
        bytes = message.bytes
        questionsLeft = Int(message.header.questionCount)
        recordsLeft = (
            Int(message.header.answerCount), Int(message.header.authorityCount), Int(message.header.additionalCount)
        )
    }

    /// The next question, or nil after the last one.
    ///
    /// Throws a ``DNSMalformation``, after which the rest of the message cannot be read.
    public mutating func nextQuestion() throws(DNSMalformation) -> DNSQuestion? {
        guard questionsLeft > 0 else { return nil }
        let question = try DNSQuestion(in: bytes, at: position)
        questionsLeft &-= 1
        position = question.end
        return question
    }

    /// The next record of any section, or nil after the last one; questions that were not read are stepped over.
    ///
    /// Throws a ``DNSMalformation``, after which the rest of the message cannot be read.
    public mutating func nextRecord() throws(DNSMalformation) -> DNSRecord? {
        while questionsLeft > 0 { _ = try nextQuestion() }
        guard let section = takeSection() else { return nil }
        let record = try DNSRecord(in: bytes, at: position, section: section)
        position = record.end
        return record
    }

    private mutating func takeSection() -> DNSSection? {
        if recordsLeft.answer > 0 {
            recordsLeft.answer &-= 1
            return .answer
        }
        if recordsLeft.authority > 0 {
            recordsLeft.authority &-= 1
            return .authority
        }
        guard recordsLeft.additional > 0 else { return nil }
        recordsLeft.additional &-= 1
        return .additional
    }
}

/// What a DNS message asks (RFC 1035, section 4.1.2).
public struct DNSQuestion {
    /// The name that is asked for.
    public let name: DNSName
    /// The type that is asked for.
    public let type: DNSType
    /// The class that is asked for.
    public let queryClass: DNSClass

    /// The question at `offset` of `message`.
    ///
    /// Throws a ``DNSMalformation`` when there is none.
    init(in message: WireBytes, at offset: Int) throws(DNSMalformation) {
        name = try DNSName(in: message, at: offset)
        guard message.has(4, at: name.end) else { throw .pastEnd }
        type = DNSType(rawValue: message.unchecked16(name.end))
        queryClass = DNSClass(rawValue: message.unchecked16(name.end &+ 2))
    }

    /// Where what follows the question begins.
    var end: Int { name.end &+ 4 }
}

/// Why bytes are not a DNS message.
///
/// The checklist is RFC 9267: what a decoder must refuse so that no message makes it loop or read past its end.
public enum DNSMalformation: UInt8, Error, Sendable, CaseIterable {
    /// Fewer than the 12 bytes of a header.
    case shortHeader
    /// More questions or records than the message has room for, or more questions than real queries have.
    case absurdCount
    /// A query of the standard kind without a question or any record, as a payload of zeros looks.
    case asksNothing
    /// A name, a record or an option reaches past the end.
    case pastEnd
    /// A label of the withdrawn or unassigned kinds 0x40 and 0x80 (RFC 6891, section 5; RFC 2673).
    case labelType
    /// A name of more than 255 octets (RFC 1035, section 2.3.4), and with it every name of more than 127 labels.
    case nameTooLong
    /// A compression pointer to itself, forwards, or into the header.
    case pointerNotBackwards
    /// A name of more than 16 compression pointers.
    case tooManyPointers
    /// Record data that does not hold the names that its type has.
    case recordData
    /// An EDNS option that reaches past its record.
    case ednsOption
}
