import SondeNetlink
import SondeTestKit
import Testing

@Suite struct NetlinkAttributeTests {
    private func attributes(_ bytes: [UInt8]) -> [(UInt16, [UInt8])] {
        bytes.withUnsafeBytes { bytes in NetlinkAttributes(bytes).map { ($0.type, [UInt8]($0.value)) } }
    }

    @Test func attributesFollowEachOtherOnFourByteBoundaries() {
        var builder = NetlinkBuilder()
        builder.attribute(3, text: "eth0")
        builder.attribute(0x8000 | 18, [1])
        builder.attribute(4, number: UInt32(1_500))
        let found = attributes(builder.bytes)
        #expect(found.map(\.0) == [3, 18, 4], "the flags of the type are taken off")
        #expect(found.map(\.1) == [Array("eth0".utf8) + [0], [1], [0xdc, 0x05, 0, 0]])
    }

    @Test func aTextEndsAtItsNULAndOddBytesAreSpelledOut() {
        func text(_ value: [UInt8]) -> String? {
            var builder = NetlinkBuilder()
            builder.attribute(1, value)
            return builder.bytes.withUnsafeBytes { bytes in
                var attributes = NetlinkAttributes(bytes)
                return attributes.next()?.text
            }
        }
        #expect(text(Array("veth".utf8) + [0, 0x41]) == "veth")
        #expect(text([0x62, 0xff]) == #"b\xff"#)
        #expect(text([]) == "")
    }

    @Test func aNumberThatIsTooShortIsNone() {
        var builder = NetlinkBuilder()
        builder.attribute(1, [1, 2, 3])
        builder.bytes.withUnsafeBytes { bytes in
            var attributes = NetlinkAttributes(bytes)
            let attribute = attributes.next()
            #expect(attribute?.number(UInt32.self) == nil)
            #expect(attribute?.number(UInt16.self) == 0x0201)
        }
    }

    @Test(arguments: [0, 1, 2, 3, 200, 65_535])
    func aWrongLengthEndsTheWalk(length: Int) {
        let bytes = NetlinkBuilder.bytes(UInt16(length)) + [1, 0, 9, 9, 9, 9]
        #expect(attributes(bytes).isEmpty)
    }

    @Test func startingBehindTheEndIsEmpty() {
        [1, 2, 3, 4].withUnsafeBytes { bytes in
            #expect(Array(NetlinkAttributes(bytes, from: 1_000)).isEmpty)
            #expect(Array(NetlinkAttributes(bytes, from: -1)).isEmpty)
        }
    }
}
