import SondeTestKit
import SondeWire
import Testing

@Suite struct DNSSummaryTests {
    @Test func aQueryIsRead() {
        let summary = DNSSummary.of(DNSMessageBuilder(id: 0xbeef).asking("www.example.org", type: 28).bytes)
        #expect(summary.malformation == nil)
        #expect(summary.extent == .whole)
        #expect(summary.id == 0xbeef)
        #expect(!summary.isResponse)
        #expect(summary.flags.contains(.recursionDesired))
        #expect(summary.flags.opcode == .query)
        #expect(summary.questionType == .aaaa)
        #expect(summary.questionClass == .internet)
        #expect(summary.nameLength == 17)
        #expect(summary.edns == nil)
    }

    @Test func aResponseIsRead() {
        let message = DNSMessageBuilder(flags: 0x8583).asking("example.org")
            .answering(type: 1, data: [192, 0, 2, 1])
            .referring(type: 2, data: [2, 0x6e, 0x73, 0xc0, 12])
        let summary = DNSSummary.of(message.bytes)
        #expect(summary.malformation == nil)
        #expect(summary.isResponse)
        #expect(summary.responseCode == .nameError)
        #expect(summary.flags.contains([.authoritative, .recursionAvailable]))
        #expect(summary.answerCount == 1)
    }

    @Test func theHighBitsOfTheResponseCodeComeFromOPT() {
        let message = DNSMessageBuilder(flags: 0x8180).asking("example.org").withEDNS(timeToLive: 0x0100_8000)
        let summary = DNSSummary.of(message.bytes)
        #expect(summary.responseCode.mnemonic == "BADVERS")
        #expect(summary.edns?.isDNSSECOK == true)
        #expect(summary.edns?.payloadSize == 1232)
    }

    @Test func lettersDifferInCaseAloneInOneQuestion() {
        for length in 1...40 {
            let lower = String(repeating: "a", count: length) + ".example.org"
            let upper = String(repeating: "A", count: length) + ".eXAMPLE.oRg"
            let left = DNSSummary.of(DNSMessageBuilder().asking(lower).bytes)
            #expect(left.questionHash == DNSSummary.of(DNSMessageBuilder().asking(upper).bytes).questionHash)
            let other = String(repeating: "a", count: length) + ".example.orh"
            #expect(left.nameHash != DNSSummary.of(DNSMessageBuilder().asking(other).bytes).nameHash)
        }
    }

    @Test func onlyLettersAreFolded() {
        // The neighbours of A and Z, and octets beyond ASCII, are not letters.
        for (one, other): (UInt8, UInt8) in [(0x40, 0x60), (0x5b, 0x7b), (0xc1, 0xe1), (0x41, 0xc1)] {
            let left = DNSSummary.of(DNSMessageBuilder().asking(wireName: [1, one, 0]).bytes)
            let right = DNSSummary.of(DNSMessageBuilder().asking(wireName: [1, other, 0]).bytes)
            #expect(left.questionHash != right.questionHash)
        }
    }

    @Test func typeAndClassBelongToTheQuestion() {
        let hashes = [(1, 1), (28, 1), (65, 1), (97, 1), (1, 3)].map { type, queryClass in
            DNSSummary.of(DNSMessageBuilder().asking("a.org", type: type, queryClass: queryClass).bytes).questionHash
        }
        #expect(Set(hashes).count == 5)
    }

    @Test func theNameIsCopiedInLowerCase() {
        for length in 1...63 {
            let label = String(repeating: "Q", count: length)
            let bytes = DNSMessageBuilder().asking("\(label).Org").bytes
            let summary = DNSSummary.of(bytes)
            let copied = bytes.withUnsafeBytes { message in
                [UInt8](unsafeUninitializedCapacity: 255) { target, count in
                    count = summary.copyName(of: WireBytes(message), to: UnsafeMutableRawPointer(target.baseAddress!))
                }
            }
            #expect(copied == DNSMessageBuilder.name("\(label.lowercased()).org"))
            #expect(copied.withUnsafeBytes(DNSName.text(ofUncompressed:)) == "\(label.lowercased()).org")
        }
    }

    @Test func noNameIsCopiedFromAMessageThatIsTooShortForIt() {
        let bytes = DNSMessageBuilder().asking("www.example.org").bytes
        let summary = DNSSummary.of(bytes)
        let shorter = Array(bytes.prefix(12 + 16))
        let copied = shorter.withUnsafeBytes { message in
            [UInt8](unsafeUninitializedCapacity: 255) { target, count in
                count = target.baseAddress.map { summary.copyName(of: WireBytes(message), to: $0) } ?? 255
            }
        }
        #expect(copied.isEmpty)
    }

    @Test func aMessageWithoutQuestionIsSound() {
        let summary = DNSSummary.of(DNSMessageBuilder(flags: 0x8001).bytes)
        #expect(summary.malformation == nil)
        #expect(summary.extent == .whole)
        #expect(!summary.hasQuestion)
        #expect(summary.questionHash == 0)
    }

    @Test func severalQuestionsAreWalked() throws {
        let bytes = DNSMessageBuilder().asking("a.org", type: 1).asking("b.org", type: 28)
            .asking(wireName: [1, 0x63, 0xc0, 14], type: 15).bytes
        #expect(DNSSummary.of(bytes).questionCount == 3)
        #expect(DNSSummary.of(bytes).extent == .whole)
        #expect(try readAll(bytes).questions == 3)
    }

    @Test func aMessageThatTheCaptureCutIsNotMalformed() {
        let bytes = DNSMessageBuilder(flags: 0x8180).asking("example.org").answering(type: 1, data: [1, 2, 3, 4]).bytes
        let questionEnd = 12 + 13 + 4
        for length in bytes.indices {
            let summary = DNSSummary.of(Array(bytes.prefix(length)), wireLength: bytes.count)
            #expect(summary.malformation == nil)
            #expect(summary.isResponse == (length >= 4))
            let inHeader: DNSSummary.Extent = length < 4 ? .nothing : .flags
            let behind: DNSSummary.Extent = length < questionEnd ? .header : .questions
            let extent = length < 12 ? inHeader : behind
            #expect(summary.extent == extent)
            #expect(summary.hasQuestion == (length >= questionEnd))
        }
    }

    @Test func bytesBehindTheMessageAreNotRead() {
        let bytes = DNSMessageBuilder().asking("example.org").bytes
        #expect(DNSSummary.of(bytes + [0xff, 0xff], wireLength: bytes.count).malformation == nil)
        #expect(DNSSummary.of(bytes, wireLength: bytes.count - 1).malformation == .pastEnd)
        #expect(DNSSummary.of(bytes, wireLength: -1).malformation == .shortHeader)
    }
}
