import Testing

@testable import SondeWire

/// The short way that most frames take through the decoder, beside the one by layers.
@Suite struct PlainFrameTests {
    private func isPlain(_ bytes: [UInt8]) -> Bool {
        var frame = DecodedFrame()
        return bytes.withUnsafeBytes {
            FrameDecoder.decodePlain(WireBytes($0), wireLength: UInt32($0.count), into: &frame)
        }
    }

    private func byLayers(_ bytes: [UInt8], wireLength: Int, _ linkType: LinkType) -> DecodedFrame {
        var frame = DecodedFrame()
        bytes.withUnsafeBytes {
            FrameDecoder.decodeLayers(
                WireBytes($0), wireLength: UInt32(wireLength), linkType: linkType, into: &frame)
        }
        return frame
    }

    @Test func whatNetworksMostlyCarryIsPlain() {
        let plain = FrameFixture.all.filter { $0.linkType == .ethernet && isPlain($0.bytes) }.map(\.name)
        for name in ["TCP", "UDP", "UDP with padding", "VLAN", "priority tag"] {
            #expect(plain.contains(name), "\(name)")
        }
        for name in ["ICMP", "IPv4 options", "IPv4 segmentation offload", "ARP", "QinQ", "SNAP", "MPLS", "PPPoE"] {
            #expect(!plain.contains(name), "\(name)")
        }
    }

    @Test(arguments: FrameFixture.all)
    func bothWaysFindTheSame(_ fixture: FrameFixture) {
        let count = fixture.bytes.count
        for captured in 0...count {
            let bytes = Array(fixture.bytes.prefix(captured))
            for wireLength in [captured, count, count + 30] {
                #expect(
                    FrameFixture.decode(bytes, wireLength: wireLength, linkType: fixture.linkType)
                        == byLayers(bytes, wireLength: wireLength, fixture.linkType))
            }
        }
    }

    @Test(arguments: FrameFixture.all)
    func bothWaysFindTheSameWhateverAByteIs(_ fixture: FrameFixture) {
        for index in fixture.bytes.indices {
            for value in [0, 1, 2, 5, 7, 8, 9, 20, 0x45, 0x46, 0x50, 0x60, 0xff] as [UInt8] {
                var bytes = fixture.bytes
                bytes[index] = value
                let frame = FrameFixture.decode(bytes, linkType: fixture.linkType)
                if frame != byLayers(bytes, wireLength: bytes.count, fixture.linkType) {
                    Issue.record("byte \(index) = \(value)")
                }
            }
        }
    }
}
