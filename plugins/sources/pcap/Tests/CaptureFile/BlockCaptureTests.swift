import SondeTestKit
import Testing

@testable import PcapPlugin

/// pcapng files: sections, interfaces, blocks of every kind.
@Suite struct BlockCaptureTests {
    private let packet = [UInt8](1...61)
    private let unknown = CapturedPacket.unknownTime

    @Test(arguments: EndianWriter.Order.allCases)
    func packetsOfEveryBlockTypeAreRead(_ order: EndianWriter.Order) {
        var builder = BlockCaptureBuilder(order)
        builder.addInterface(linkType: 1, snapshotLength: 40)
        builder.addInterface(linkType: 101, resolution: 9)
        builder.addPacket(packet, interface: 1, ticks: 7, wireLength: 1_500)
        builder.addBlock(0x8000_0001, [1, 2, 3])
        builder.addObsoletePacket(packet, interface: 0, ticks: 1 << 33)
        builder.addSimplePacket(Array(packet[..<40]), wireLength: 61)
        builder.addSimplePacket(Array(packet[..<5]))
        let capture = ReadCapture(builder.bytes)
        #expect(capture.error == nil)
        #expect(capture.linkTypes == [1, 101])
        #expect(
            capture.packets == [
                ReadPacket(bytes: packet, wireLength: 1_500, linkType: 101, interface: 1, time: 7),
                ReadPacket(bytes: packet, wireLength: 61, linkType: 1, interface: 0, time: 1_000 << 33),
                ReadPacket(bytes: Array(packet[..<40]), wireLength: 61, linkType: 1, interface: 0, time: unknown),
                ReadPacket(bytes: Array(packet[..<5]), wireLength: 5, linkType: 1, interface: 0, time: unknown),
            ]
        )
    }

    @Test func sectionsHaveByteOrdersAndInterfacesOfTheirOwn() {
        var builder = BlockCaptureBuilder(.big)
        builder.addInterface(linkType: 113)
        builder.addPacket(packet)
        builder.addSection(.little, version: (1, 2))
        builder.addInterface(linkType: 276)
        builder.addPacket(packet)
        builder.addSection(.big)
        builder.addPacket(packet)
        let capture = ReadCapture(builder.bytes)
        #expect(capture.packets.map(\.linkType) == [113, 276])
        #expect(capture.packets.map(\.interface) == [0, 1])
        #expect(capture.linkTypes == [113, 276])
        guard case .malformed(let reason, _) = capture.error else {
            Issue.record("a packet of an interface of another section was read")
            return
        }
        #expect(reason.contains("interface 0"))
    }

    private static let stamps: [(UInt8, Int64?, UInt64, Int64)] = [
        (6, nil, 1_500_000, 1_500_000_000), (0, nil, 3, 3_000_000_000), (3, nil, 1_500, 1_500_000_000),
        (9, nil, 123, 123), (12, nil, 5_999, 5), (19, nil, 70_000_000_000, 7),
        (40, nil, .max, 0), (127, nil, .max, 0),
        (0x80 | 0, nil, 2, 2_000_000_000), (0x80 | 10, nil, 512, 500_000_000),
        (0x80 | 32, nil, 1 << 31, 500_000_000), (0x80 | 63, nil, 1 << 62, 500_000_000),
        (0x80 | 64, nil, 1 << 63, 500_000_000), (0x80 | 100, nil, .max, 0), (0x80 | 127, nil, .max, 0),
        (6, 10, 1, 10_000_001_000), (6, -10, 1, -9_999_999_000),
        (6, nil, .max, .max), (0, .max, 1, .max), (6, .min, 1, .min + 1), (0x80 | 0, nil, .max, .max),
    ]

    @Test(arguments: stamps)
    func timeStampsOfEveryResolutionAreNanosecondsAndNeverTrap(
        _ resolution: UInt8,
        _ offset: Int64?,
        _ ticks: UInt64,
        _ time: Int64
    ) {
        var builder = BlockCaptureBuilder()
        builder.addInterface(resolution: resolution, offset: offset)
        builder.addPacket(packet, ticks: ticks)
        #expect(ReadCapture(builder.bytes).packets.map(\.time) == [time])
    }

    @Test(arguments: EndianWriter.Order.allCases)
    func aFileThatBreaksOffAnywhereGivesThePacketsBeforeThatAndSaysSo(_ order: EndianWriter.Order) {
        var builder = BlockCaptureBuilder(order)
        var ends = [builder.bytes.count]
        builder.addInterface(resolution: 9, offset: 3)
        ends.append(builder.bytes.count)
        var packetEnds: [Int] = []
        for _ in 0..<2 {
            builder.addPacket(packet)
            packetEnds.append(builder.bytes.count)
            builder.addBlock(77, Array(packet))
            ends.append(builder.bytes.count)
        }
        for length in 0..<builder.bytes.count {
            let capture = ReadCapture(Array(builder.bytes[..<length]))
            #expect(capture.packets.count == packetEnds.count { $0 <= length }, "\(length)")
            if length < 4 {
                #expect(capture.error == .notCapture, "\(length)")
            } else if ends.contains(length) || packetEnds.contains(length) {
                #expect(capture.error == nil, "\(length)")
            } else {
                #expect(capture.error == .truncated(at: UInt64(length)), "\(length)")
            }
        }
    }

    @Test func aBlockLargerThanTheBufferIsSkipped() {
        var builder = BlockCaptureBuilder()
        builder.addInterface()
        builder.addBlock(0xa, [UInt8](repeating: 1, count: 3 << 20))
        builder.addPacket(packet)
        let capture = ReadCapture(builder.bytes)
        #expect(capture.error == nil)
        #expect(capture.packets.map(\.bytes) == [packet])
    }

    @Test(arguments: [0, 4, 11, 13, 14, 15] as [UInt32])
    func aBlockLengthThatCannotBeEndsTheFile(_ length: UInt32) {
        for type in [1, 6, 77] as [UInt32] {
            var builder = BlockCaptureBuilder()
            builder.addInterface()
            builder.addBlock(type, [UInt8](repeating: 0, count: 40), length: length)
            guard case .malformed = ReadCapture(builder.bytes).error else {
                Issue.record("block type \(type)")
                continue
            }
        }
    }

    @Test(arguments: [1, 3, 6, 77] as [UInt32])
    func lengthsThatDifferEndTheFile(_ type: UInt32) {
        var builder = BlockCaptureBuilder()
        builder.addInterface()
        builder.addBlock(type, [UInt8](repeating: 0, count: 40), trailer: 48)
        guard case .malformed(let reason, _) = ReadCapture(builder.bytes).error else {
            Issue.record("it was read")
            return
        }
        #expect(reason.contains("differ"))
    }

    @Test func aPacketLongerThanItsBlockEndsTheFile() {
        for length in [62, 65, 262_144] as [UInt32] {
            var builder = BlockCaptureBuilder()
            builder.addInterface()
            builder.addPacket(Array(packet[..<60]), capturedLength: length)
            guard case .malformed = ReadCapture(builder.bytes).error else {
                Issue.record("\(length)")
                continue
            }
        }
        var builder = BlockCaptureBuilder()
        builder.addInterface()
        builder.addPacket(packet, capturedLength: .max)
        #expect(ReadCapture(builder.bytes).error == .tooLong(length: 0xffff_ffff, at: UInt64(builder.bytes.count - 96)))
    }

    @Test func anOptionLongerThanItsBlockEndsTheFile() {
        var body = EndianWriter(.little)
        body.append(UInt64(1))
        body.append(UInt16(9))
        body.append(UInt16(200))
        var builder = BlockCaptureBuilder()
        builder.addBlock(1, body.bytes)
        guard case .malformed = ReadCapture(builder.bytes).error else {
            Issue.record("it was read")
            return
        }
    }

    @Test func interfacesAreBounded() {
        var builder = BlockCaptureBuilder()
        for _ in 0...BlockSection.interfaceLimit { builder.addInterface() }
        builder.addPacket(packet)
        let capture = ReadCapture(builder.bytes)
        guard case .tooManyInterfaces = capture.error else {
            Issue.record("\(String(describing: capture.error))")
            return
        }
        #expect(capture.linkTypes == [1])
    }

    @Test func aVersionThatNobodyKnowsIsNamed() {
        var builder = BlockCaptureBuilder()
        builder.addSection(.big, version: (2, 0))
        #expect(ReadCapture(builder.bytes).error == .unsupportedVersion("pcapng 2.0"))
    }
}
