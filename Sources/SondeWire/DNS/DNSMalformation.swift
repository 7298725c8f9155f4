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
