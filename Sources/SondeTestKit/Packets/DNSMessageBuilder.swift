/// Builds DNS messages, sound ones and broken ones, for tests.
///
/// Counts are taken from what was added unless they are set.
public struct DNSMessageBuilder: Sendable {
    /// The id.
    public var id: UInt16
    /// The flags, opcode and response code.
    public var flags: UInt16
    /// QDCOUNT when it shall differ from the questions that were added.
    public var questionCount: UInt16?
    private var questions: [UInt8] = []
    private var records: [UInt8] = []
    private var counts: (question: UInt16, answer: UInt16, authority: UInt16, additional: UInt16) = (0, 0, 0, 0)

    /// A message without sections; flags 0x0100 are those of a query that asks for recursion.
    public init(id: UInt16 = 1, flags: UInt16 = 0x0100) {
        self.id = id
        self.flags = flags
    }

    /// A name in wire form, without compression.
    public static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    /// A 16-bit number in network order.
    public static func number(_ value: UInt16) -> [UInt8] {
        [UInt8(value >> 8), UInt8(value & 0xff)]
    }

    /// Adds a question.
    public func asking(_ name: String, type: UInt16 = 1, queryClass: UInt16 = 1) -> DNSMessageBuilder {
        asking(wireName: Self.name(name), type: type, queryClass: queryClass)
    }

    /// Adds a question whose name is these octets.
    public func asking(wireName: [UInt8], type: UInt16 = 1, queryClass: UInt16 = 1) -> DNSMessageBuilder {
        var copy = self
        copy.questions += wireName + Self.number(type) + Self.number(queryClass)
        copy.counts.question += 1
        return copy
    }

    /// Adds an answer record; its owner is the first question's name unless its octets are given.
    public func answering(type: UInt16, data: [UInt8], owner: [UInt8] = [0xc0, 12]) -> DNSMessageBuilder {
        var copy = self
        copy.records += Self.record(type: type, recordClass: 1, timeToLive: 300, data: data, owner: owner)
        copy.counts.answer += 1
        return copy
    }

    /// Adds an authority record.
    public func referring(type: UInt16, data: [UInt8], owner: [UInt8] = [0xc0, 12]) -> DNSMessageBuilder {
        var copy = self
        copy.records += Self.record(type: type, recordClass: 1, timeToLive: 300, data: data, owner: owner)
        copy.counts.authority += 1
        return copy
    }

    /// Adds an OPT record; `timeToLive` holds the high bits of the response code, the version and DO.
    public func withEDNS(
        payloadSize: UInt16 = 1232,
        timeToLive: UInt32 = 0,
        options: [UInt8] = []
    ) -> DNSMessageBuilder {
        var copy = self
        copy.records += Self.record(
            type: 41,
            recordClass: payloadSize,
            timeToLive: timeToLive,
            data: options,
            owner: [0]
        )
        copy.counts.additional += 1
        return copy
    }

    /// The message.
    public var bytes: [UInt8] {
        let numbers = [
            id, flags, questionCount ?? counts.question, counts.answer, counts.authority, counts.additional,
        ]
        return numbers.flatMap(Self.number) + questions + records
    }

    private static func record(
        type: UInt16,
        recordClass: UInt16,
        timeToLive: UInt32,
        data: [UInt8],
        owner: [UInt8]
    ) -> [UInt8] {
        let time = number(UInt16(timeToLive >> 16)) + number(UInt16(timeToLive & 0xffff))
        return owner + number(type) + number(recordClass) + time + number(UInt16(data.count)) + data
    }
}
