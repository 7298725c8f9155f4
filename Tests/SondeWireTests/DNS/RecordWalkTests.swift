import SondeTestKit
import SondeWire
import Testing

/// What is read once a message has shown more labels behind pointers than any honest one.
@Suite struct RecordWalkTests {
    /// A response that has followed 8,283 labels before its last record, whose owner is `owner`.
    private func message(endingIn owner: [UInt8]) -> DNSMessageBuilder {
        let longest = [UInt8](repeatElement([1, 0x61], count: 127).joined()) + [0]
        let question = DNSMessageBuilder(flags: 0x8180).asking(wireName: longest)
        // By turns, since a pointer that was just found sound is not followed again.
        let long = (0..<66).reduce(question) { builder, index in
            builder.answering(type: 1, data: [192, 0, 2, 1], owner: [0xc0, index.isMultiple(of: 2) ? 14 : 16])
        }
        return long.answering(type: 1, data: [192, 0, 2, 2], owner: owner)
    }

    @Test func namesAreSteppedOverLabelByLabelUpToTheirPointer() {
        let summary = DNSSummary.of(message(endingIn: [3, 0x77, 0x77, 0x77, 0xc0, 12]).withEDNS().bytes)
        #expect(summary.malformation == nil)
        #expect(summary.extent == .whole)
        #expect(summary.edns?.payloadSize == 1232)
    }

    @Test func namesAreSteppedOverUpToTheirRoot() {
        let summary = DNSSummary.of(message(endingIn: [1, 0x61, 2, 0x62, 0x63, 0]).withEDNS().bytes)
        #expect(summary.extent == .whole)
        #expect(summary.edns != nil)
    }

    @Test func nobodyLooksWhereThePointerLeads() {
        #expect(DNSSummary.of(message(endingIn: [0xff, 0xff]).bytes).malformation == nil)
    }

    @Test func aLabelOfNoKnownTypeIsMalformed() {
        #expect(DNSSummary.of(message(endingIn: [1, 0x61, 0x40, 0]).bytes).malformation == .labelType)
    }

    @Test func labelsWithoutAnEndAreMalformed() {
        let label: [UInt8] = [63] + [UInt8](repeating: 0x61, count: 63)
        #expect(
            DNSSummary.of(message(endingIn: label + label + label + label + [1, 0x61, 0]).bytes).malformation
                == .nameTooLong)
    }

    @Test(arguments: [[1, 0x61], [5, 0x61], [1, 0x61, 0xc0]] as [[UInt8]])
    func aNameThatTheMessageEndsInIsMalformed(_ owner: [UInt8]) {
        // Type, class, time to live, length and data.
        let bytes = Array(message(endingIn: owner).bytes.dropLast(14))
        #expect(DNSSummary.of(bytes).malformation == .pastEnd)
    }
}
