import SondeTestKit
import SondeWire
import Testing

@Suite struct DNSHostileMessageTests {
    private static let question = DNSMessageBuilder(flags: 0x8180).asking("example.org")

    static let messages: [(String, [UInt8], DNSMalformation)] = [
        ("no byte", [], .shortHeader),
        ("one byte", [0], .shortHeader),
        ("eleven bytes", [UInt8](repeating: 0, count: 11), .shortHeader),
        ("zeros", [UInt8](repeating: 0, count: 512), .asksNothing),
        ("self pointer", DNSMessageBuilder().asking(wireName: [0xc0, 12]).bytes, .pointerNotBackwards),
        ("forward pointer", DNSMessageBuilder().asking(wireName: [0xc0, 20]).bytes, .pointerNotBackwards),
        (
            "mutual pointers",
            question.answering(type: 1, data: [1, 2, 3, 4], owner: [0xc0, 31, 0xc0, 29]).bytes, .pointerNotBackwards
        ),
        ("pointer into the header", DNSMessageBuilder().asking(wireName: [0xc0, 0]).bytes, .pointerNotBackwards),
        ("label 0x40", DNSMessageBuilder().asking(wireName: [0x40, 0]).bytes, .labelType),
        ("label 0x80", DNSMessageBuilder().asking(wireName: [0x80, 0]).bytes, .labelType),
        (
            "name of 256 octets",
            DNSMessageBuilder().asking(
                wireName: [UInt8](repeatElement([1, 0x61], count: 127).joined()) + [1, 0x61, 0]
            ).bytes, .nameTooLong
        ),
        (
            "record data past the end",
            Array(question.answering(type: 1, data: [1, 2, 3, 4]).bytes.dropLast(2)), .pastEnd
        ),
        (
            "65,535 questions",
            {
                var builder = DNSMessageBuilder().asking("example.org")
                builder.questionCount = 65_535
                return builder.bytes
            }(), .absurdCount
        ),
        (
            "300 questions that are all there",
            (1...300).reduce(DNSMessageBuilder()) { builder, _ in builder.asking(".") }.bytes, .absurdCount
        ),
        ("name past its record", question.answering(type: 5, data: [3, 0x61]).bytes, .recordData),
        ("alias to itself", question.answering(type: 5, data: [0xc0, 41]).bytes, .pointerNotBackwards),
        ("option past its record", question.withEDNS(options: [0, 10, 0, 8, 1]).bytes, .ednsOption),
        ("half an option", question.withEDNS(options: [0, 10, 0]).bytes, .ednsOption),
    ]

    @Test(arguments: messages.indices)
    func aBrokenMessageIsMalformed(index: Int) {
        let (name, bytes, reason) = Self.messages[index]
        #expect(DNSSummary.of(bytes).malformation == reason, "\(name)")
    }

    @Test func aMessageWithoutQuestionMayBeSound() {
        // A refusal that does not repeat the question, a query for a cookie, a session message (RFC 8490).
        #expect(DNSSummary.of(DNSMessageBuilder(flags: 0x8001).bytes).malformation == nil)
        #expect(DNSSummary.of(DNSMessageBuilder().withEDNS(options: [0, 10, 0, 0]).bytes).malformation == nil)
        #expect(DNSSummary.of(DNSMessageBuilder(flags: 0x3000).bytes).malformation == nil)
    }

    @Test func theWorstMessageCostsLittle() {
        // Every record's name is the longest one there is, by way of a pointer of its own.
        let longest = [UInt8](repeatElement([1, 0x61], count: 126).joined()) + [0]
        var builder = DNSMessageBuilder(flags: 0x8180).asking(wireName: longest)
        for index in 0..<5000 {
            builder = builder.answering(type: 1, data: [], owner: [0xc0, UInt8(12 + index % 2 * 2)])
        }
        let bytes = builder.bytes
        let clock = ContinuousClock()
        let best = (0..<20).map { _ in clock.measure { _ = DNSSummary.of(bytes) } }.min()
        // 50 ms per packet is the promise; a debug build on a busy machine keeps it with room to spare.
        #expect(best.map { $0 < .milliseconds(50) } == true)
        #expect(DNSSummary.of(bytes).extent == .whole)
    }
}
