import SondeTestKit
import SondeWire
import Testing

@Suite struct DNSNameTests {
    /// Twelve bytes of header before names that pointers may lead to.
    private static let header = [UInt8](repeating: 0, count: 12)

    private func name(_ octets: [UInt8], at offset: Int = 12) throws(DNSMalformation) -> (text: String, octets: Int) {
        let message = Self.header + octets
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: message.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: message)
        let name = try DNSName(in: WireBytes(UnsafeRawBufferPointer(copy)), at: offset)
        return (name.text, name.octetCount)
    }

    @Test func aNameIsWrittenInLowerCase() throws {
        let read = try name(DNSMessageBuilder.name("WWW.Example.ORG"))
        #expect(read.text == "www.example.org")
        #expect(read.octets == 17)
    }

    @Test func theRootIsADot() throws {
        #expect(try name([0]).text == ".")
    }

    @Test func octetsThatAreNoTextAreEscaped() throws {
        #expect(try name([5, 0x61, 0x2e, 0x5c, 0, 0xff, 0]).text == "a\\.\\\\\\000\\255")
    }

    @Test func aPointerLeadsBack() throws {
        let octets = DNSMessageBuilder.name("example.org") + [3, 0x77, 0x77, 0x77, 0xc0, 12]
        let read = try name(octets, at: 12 + 13)
        #expect(read.text == "www.example.org")
        #expect(read.octets == 17)
    }

    @Test func aNameOf255OctetsIsTheLongest() throws {
        let label: [UInt8] = [63] + [UInt8](repeating: 0x61, count: 63)
        let longest = label + label + label + [61] + [UInt8](repeating: 0x61, count: 61) + [0]
        #expect(try name(longest).octets == 255)
        let tooLong = label + label + label + [62] + [UInt8](repeating: 0x61, count: 62) + [0]
        #expect(throws: DNSMalformation.nameTooLong) { try name(tooLong) }
    }

    @Test func aNameHas127LabelsAtMost() throws {
        let most = [UInt8](repeatElement([1, 0x61], count: 127).joined()) + [0]
        #expect(try name(most).octets == 255)
        #expect(throws: DNSMalformation.nameTooLong) { try name([1, 0x61] + most) }
    }

    @Test func pointersMayMakeANameNoLongerThanOthers() throws {
        let label: [UInt8] = [63] + [UInt8](repeating: 0x61, count: 63)
        let octets = label + label + label + [0] + label + [0xc0, 12]
        #expect(throws: DNSMalformation.nameTooLong) { try name(octets, at: 12 + 193) }
    }

    @Test func sixteenPointersAreFollowedAndNotMore() throws {
        var octets: [UInt8] = [1, 0x61, 0]
        var target: UInt8 = 12
        for _ in 1...16 {
            octets += [0xc0, target]
            target = UInt8(12 + octets.count - 2)
        }
        #expect(try name(octets, at: Int(target)).text == "a")
        octets += [0xc0, target]
        #expect(throws: DNSMalformation.tooManyPointers) { try name(octets, at: 12 + octets.count - 2) }
    }

    @Test(
        "A name that leads nowhere is refused",
        arguments: [
            ([0xc0, 12], .pointerNotBackwards),  // itself
            ([0xc0, 14, 0xc0, 12], .pointerNotBackwards),  // each other
            ([0xc0, 16, 0, 0, 1, 0x61, 0], .pointerNotBackwards),  // forwards
            ([1, 0x61, 0xc0, 12], .pointerNotBackwards),  // to the label before it
            ([0xc0, 0], .pointerNotBackwards),  // into the header
            ([0xc0], .pastEnd),
            ([0x40, 0], .labelType),
            ([0x80, 0], .labelType),
            ([3, 0x61, 0x61], .pastEnd),
            ([1, 0x61], .pastEnd),
            ([], .pastEnd),
        ] as [([UInt8], DNSMalformation)]
    )
    func aNameThatLeadsNowhereIsRefused(octets: [UInt8], reason: DNSMalformation) {
        #expect(throws: reason) { try name(octets) }
    }

    @Test func aNegativeOffsetHasNoName() {
        #expect(throws: DNSMalformation.pastEnd) { try name([0], at: -1) }
        #expect(throws: DNSMalformation.pastEnd) { try name([0], at: Int.min) }
        #expect(throws: DNSMalformation.pastEnd) { try name([0], at: Int.max) }
    }
}
