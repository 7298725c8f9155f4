/// The section of a DNS message that contains a record.
public enum DNSSection: UInt8, Sendable {
    /// What answers the question.
    case answer
    /// Authorities for it.
    case authority
    /// What else may help.
    case additional
}

/// A resource record of a DNS message (RFC 1035, section 4.1.3).
public struct DNSRecord {
    /// The section of the message that contains it.
    public let section: DNSSection
    /// Whose record it is.
    public let name: DNSName
    /// What its data is.
    public let type: DNSType
    /// Its class; OPT keeps the payload size there.
    public let recordClass: DNSClass
    /// How long it may be kept, in seconds; OPT keeps flags there.
    public let timeToLive: UInt32
    /// Its data as it came; names in it may point back into the message.
    public let data: WireBytes
    let dataOffset: Int

    /// The record at `offset` of `message`.
    ///
    /// Throws a ``DNSMalformation`` when there is none.
    init(in message: WireBytes, at offset: Int, section: DNSSection) throws(DNSMalformation) {
        self.section = section
        name = try DNSName(in: message, at: offset)
        let fields = name.end
        guard message.has(10, at: fields) else { throw .pastEnd }
        let length = Int(message.unchecked16(fields &+ 8))
        guard message.has(length, at: fields &+ 10) else { throw .pastEnd }
        type = DNSType(rawValue: message.unchecked16(fields))
        recordClass = DNSClass(rawValue: message.unchecked16(fields &+ 2))
        timeToLive = message.unchecked32(fields &+ 4)
        dataOffset = fields &+ 10
        data = message.dropping(dataOffset).prefix(length)
    }

    /// The name that begins `offset` bytes into the data and ends within it: the target of a CNAME at 0, of an MX at 2.
    ///
    /// Throws a ``DNSMalformation`` when there is none.
    public func dataName(at offset: Int = 0) throws(DNSMalformation) -> DNSName {
        guard offset >= 0, offset < data.count else { throw .recordData }
        let target = try DNSName(in: name.message, at: dataOffset &+ offset)
        guard target.end <= dataOffset &+ data.count else { throw .recordData }
        return target
    }

    /// Where what follows the record begins.
    var end: Int { dataOffset &+ data.count }
}

/// The class of a question or record (IANA, DNS CLASSes).
public struct DNSClass: RawRepresentable, Hashable, Sendable {
    /// The number as it came; multicast DNS uses the highest bit as a flag.
    public let rawValue: UInt16

    /// The class of a number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Internet.
    @inlinable public static var internet: DNSClass { DNSClass(rawValue: 1) }
    /// Chaosnet, in which servers report their version.
    @inlinable public static var chaos: DNSClass { DNSClass(rawValue: 3) }

    /// IANA's name, or `CLASS7` (RFC 3597, section 5) where there is none.
    public var mnemonic: String {
        switch rawValue {
        case 1: "IN"
        case 3: "CH"
        case 4: "HS"
        case 254: "NONE"
        case 255: "ANY"
        default: "CLASS\(rawValue)"
        }
    }
}
