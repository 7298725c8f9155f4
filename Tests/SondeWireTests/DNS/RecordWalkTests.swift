import SondeTestKit
import Testing

@testable import SondeWire

/// What is read once a message has shown more labels behind pointers than it has bytes.
@Suite struct RecordWalkTests {
    /// A response that has followed more labels than it has bytes before its last record, whose owner is `owner`.
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

    /// 65,535 octets of names that lead through 16 pointers to 117 labels each.
    @Test(arguments: [true, false])
    func theWorkIsInProportionToTheBytes(_ areQuestions: Bool) throws {
        var bytes =
            [UInt8](repeating: 0, count: DNSHeader.size) + [UInt8](repeatElement([1, 0x61], count: 117).joined()) + [
                0, 0, 1, 0, 1,
            ]
        for hop in 0..<15 {
            let target = hop == 0 ? DNSHeader.size : bytes.count - 2
            bytes += [0xc0 | UInt8(target >> 8), UInt8(target & 255)]
        }
        let chain = bytes.count - 2
        let start = bytes.count
        let rest: [UInt8] = areQuestions ? [0, 1, 0, 1] : [0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        var count = 0
        while bytes.count < 65_000 {
            let target = count.isMultiple(of: 2) ? chain : chain - 2
            bytes += [0xc0 | UInt8(target >> 8), UInt8(target & 255)] + rest
            count += 1
        }
        try bytes.withUnsafeBytes { bytes in
            var walk = RecordWalk(message: WireBytes(bytes), position: start)
            if areQuestions { try walk.skipQuestions(count) } else { try walk.skip(count) }
            #expect(walk.position == bytes.count)
            #expect(walk.nameSteps > 0)
            #expect(walk.nameSteps <= 2 * bytes.count)
        }
    }

    /// Nobody would know of the last one, which leads nowhere, but by following all names before it.
    @Test func questionsThatPointFarAreSteppedOver() {
        let longest = [UInt8](repeatElement([1, 0x61], count: 127).joined()) + [0]
        let long = (0..<200).reduce(DNSMessageBuilder().asking(wireName: longest)) { builder, index in
            builder.asking(wireName: [0xc0, index.isMultiple(of: 2) ? 14 : 16])
        }
        let summary = DNSSummary.of(long.asking(wireName: [0xff, 0xff]).bytes)
        #expect(summary.malformation == nil)
        #expect(summary.extent == .whole)
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
