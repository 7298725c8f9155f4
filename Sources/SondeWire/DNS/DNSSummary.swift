/// What counting DNS needs from one message; reused from message to message.
///
/// All of it is read in one walk over the message, without an allocation. A message that the capture cut is read as far as
/// it goes: it is a query or a response, and not malformed for its end.
public struct DNSSummary {
    /// How much of the message there was.
    public enum Extent: UInt8, Sendable {
        /// Not even the header: nothing else is known.
        case nothing
        /// Id and flags, and not the rest of the header, which the capture cut: a query or a response with unknown content.
        case flags
        /// The header, and no whole question although there is one.
        case header
        /// The questions, and not all of the records: OPT may be missing, and with it the high bits of the code.
        case questions
        /// All of it.
        case whole
    }

    /// How much of the message was captured and read.
    public internal(set) var extent = Extent.nothing
    /// Why the message does not decode, or nil when it does as far as it was captured.
    public internal(set) var malformation: DNSMalformation?
    /// The message's id.
    public internal(set) var id: UInt16 = 0
    /// The message's flags.
    public internal(set) var flags = DNSFlags(rawValue: 0)
    /// How many questions the header announces.
    public internal(set) var questionCount: UInt16 = 0
    /// How many answer records the header announces.
    public internal(set) var answerCount: UInt16 = 0
    /// The response code, with the high bits of OPT when there is one.
    public internal(set) var responseCode = DNSResponseCode.noError
    /// The type of the first question; 0 without a question.
    public internal(set) var questionType = DNSType(rawValue: 0)
    /// The class of the first question; 0 without a question.
    public internal(set) var questionClass = DNSClass(rawValue: 0)
    /// Octets of the first question's name, which follows the header uncompressed; 0 without a question.
    public internal(set) var nameLength = 0
    /// The same for names that differ only in case; 0 without a question.
    public internal(set) var nameHash: UInt64 = 0
    /// The contents of OPT, or nil when there is none or it was not captured.
    public internal(set) var edns: EDNS?

    /// A summary of nothing yet.
    public init() {}

    /// Whether the message is a response.
    @inlinable
    public var isResponse: Bool { flags.rawValue & 0x8000 != 0 }

    /// Whether the first question was read.
    @inlinable
    public var hasQuestion: Bool { nameLength > 0 }

    /// The same for the same question in any case of its letters; 0 without a question.
    @inlinable
    public var questionHash: UInt64 {
        guard nameLength > 0 else { return 0 }
        let kind = UInt64(questionType.rawValue) << 16 | UInt64(questionClass.rawValue)
        return max(1, (nameHash ^ kind &* 0x9e37_79b9_7f4a_7c15) &* 0xd6e8_feb8_6659_fd93)
    }

    /// Calls `body` with the type of every question after the first one, without following pointers in names.
    ///
    /// `message` is what the summary was read from. A message may ask 256 times.
    public func forEachFurtherType(of message: WireBytes, _ body: (DNSType) -> Void) {
        guard nameLength > 0 else { return }
        var position = DNSHeader.size &+ nameLength &+ 4
        var left = Int(questionCount) &- 1
        while left > 0, let nameEnd = try? DNSName.end(in: message, at: position), message.has(4, at: nameEnd) {
            body(DNSType(rawValue: message.unchecked16(nameEnd)))
            position = nameEnd &+ 4
            left &-= 1
        }
    }

    /// Copies the first question's name in lower case and wire form; returns its length, 0 without a question.
    ///
    /// `message` is what the summary was read from; `target` has room for 255 octets.
    public func copyName(of message: WireBytes, to target: UnsafeMutableRawPointer) -> Int {
        guard nameLength > 0, nameLength <= DNSName.mostOctets, message.has(nameLength, at: DNSHeader.size) else {
            return 0
        }
        FoldedName.copy(message, at: DNSHeader.size, length: nameLength, to: target)
        return nameLength
    }
}
