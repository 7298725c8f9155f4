import SondeTestKit
import Testing

@testable import PcapPlugin

/// Classic capture files of every byte order and resolution.
@Suite struct ClassicCaptureTests {
    private let first = [UInt8](0..<60)
    private let second = [UInt8](repeating: 7, count: 1)

    private func built(_ format: ClassicCaptureBuilder.Format, _ order: EndianWriter.Order) -> ClassicCaptureBuilder {
        var builder = ClassicCaptureBuilder(format, order, linkType: 113)
        builder.add(first, seconds: 5, fraction: 999_999, wireLength: 1_500)
        builder.add(second, seconds: .max, fraction: 1)
        builder.add([], seconds: 0)
        return builder
    }

    @Test(arguments: ClassicCaptureBuilder.Format.allCases, EndianWriter.Order.allCases)
    func everyByteOrderAndResolutionIsRead(_ format: ClassicCaptureBuilder.Format, _ order: EndianWriter.Order) {
        let capture = ReadCapture(built(format, order).bytes)
        let scale: Int64 = format == .nanoseconds ? 1 : 1_000
        #expect(capture.error == nil)
        #expect(capture.linkTypes == [113])
        #expect(capture.packets.map(\.bytes) == [first, second, []])
        #expect(capture.packets.map(\.wireLength) == [1_500, 1, 0])
        #expect(capture.packets.map(\.linkType) == [113, 113, 113])
        #expect(
            capture.packets.map(\.time) == [
                5_000_000_000 + 999_999 * scale, 4_294_967_295 * 1_000_000_000 + scale, 0,
            ]
        )
    }

    @Test(arguments: ClassicCaptureBuilder.Format.allCases, EndianWriter.Order.allCases)
    func aFileThatBreaksOffAnywhereGivesThePacketsBeforeThatAndSaysSo(
        _ format: ClassicCaptureBuilder.Format,
        _ order: EndianWriter.Order
    ) {
        let builder = built(format, order)
        let header = format == .modified ? 24 : 16
        let ends = [24, 24 + header + 60, 24 + 2 * header + 61, 24 + 3 * header + 61]
        #expect(builder.bytes.count == ends[3])
        for length in 0..<builder.bytes.count {
            let capture = ReadCapture(Array(builder.bytes[..<length]))
            #expect(capture.packets.count == ends.dropFirst().count { $0 <= length }, "\(length)")
            if length < 4 {
                #expect(capture.error == .notCapture, "\(length)")
            } else if ends.contains(length) {
                #expect(capture.error == nil, "\(length)")
            } else {
                #expect(capture.error == .truncated(at: UInt64(length)), "\(length)")
            }
        }
    }

    @Test(arguments: 0...100)
    func whatTheHostHasReadAlreadyComesFirst(_ head: Int) {
        let bytes = built(.microseconds, .big).bytes
        #expect(ReadCapture(bytes, head: head) == ReadCapture(bytes))
    }

    @Test func aRecordLongerThanAnyPacketEndsTheFile() {
        var builder = ClassicCaptureBuilder()
        builder.add(first)
        builder.add(first, capturedLength: 262_145)
        let capture = ReadCapture(builder.bytes)
        #expect(capture.packets.count == 1)
        #expect(capture.error == .tooLong(length: 262_145, at: 100))
    }

    @Test func theLongestPacketIsReadWhole() {
        let packet = [UInt8](repeating: 9, count: 262_144)
        var builder = ClassicCaptureBuilder()
        for _ in 0..<5 { builder.add(packet) }
        let capture = ReadCapture(builder.bytes)
        #expect(capture.error == nil)
        #expect(capture.packets.map(\.bytes) == Array(repeating: packet, count: 5))
    }

    @Test func aPacketBeyondTheSnapshotLengthIsStillRead() {
        var builder = ClassicCaptureBuilder(snapshotLength: 10)
        builder.add(first)
        #expect(ReadCapture(builder.bytes).packets.map(\.bytes) == [first])
    }

    @Test func theUpperBitsOfTheLinkTypeTellOfAChecksum() {
        #expect(ReadCapture(ClassicCaptureBuilder(linkType: 0x2400_0001).bytes).linkTypes == [1])
    }

    @Test func filesOfOldProgramsHaveTheLengthsTheOtherWayRound() {
        for (minor, lengths) in [(2, (60, 1_500)), (3, (1_500, 60)), (3, (60, 1_500))] as [(UInt16, (UInt32, UInt32))] {
            var builder = ClassicCaptureBuilder(version: (2, minor))
            let isSwapped = minor == 2
            builder.add(
                first,
                wireLength: isSwapped ? lengths.0 : lengths.1,
                capturedLength: isSwapped ? lengths.1 : lengths.0
            )
            let capture = ReadCapture(builder.bytes)
            #expect(capture.packets.map(\.bytes) == [first])
            #expect(capture.packets.map(\.wireLength) == [1_500])
        }
    }

    @Test func anUnknownVersionIsNamed() {
        #expect(ReadCapture(ClassicCaptureBuilder(version: (3, 0)).bytes).error == .unsupportedVersion("3.0"))
    }

    @Test(arguments: ["", "\u{7f}ELF....", "Nov 21 22:00:00 host unbound: query", "\u{0}\u{0}\u{0}\u{0}"])
    func anythingElseIsNoCapture(_ text: String) {
        #expect(ReadCapture(Array(text.utf8)).error == .notCapture)
    }
}
