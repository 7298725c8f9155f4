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
