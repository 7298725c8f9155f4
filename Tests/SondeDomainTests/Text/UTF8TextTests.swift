import SondeDomain
import Testing

struct UTF8TextTests {
    private func text(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { UTF8Text.escaping($0) } }

    @Test func validTextStaysAsItIs() {
        #expect(text(Array("grüße \\x00 \u{1F600}".utf8)) == "grüße \\x00 \u{1F600}")
        #expect(text([]) == "")
    }

    @Test(
        arguments: [
            ([0xfe], #"\xfe"#), ([0xff], #"\xff"#), ([0x61, 0xc3, 0x62], #"a\xc3b"#), ([0xe2, 0x82], #"\xe2\x82"#),
            ([0xed, 0xa0, 0x80], #"\xed\xa0\x80"#), ([0x5c, 0x78, 0xfe], #"\\x\xfe"#), ([0x00, 0x80], "\0" + #"\x80"#),
        ] as [([UInt8], String)])
    func bytesThatAreNoTextAreEscapedOneByOne(bytes: [UInt8], expected: String) {
        #expect(text(bytes) == expected)
    }

    @Test func everyTwoDifferentBytesStayDifferent() {
        #expect(Set((0...255).map { text([UInt8($0), 0xfe]) }).count == 256)
    }
}
