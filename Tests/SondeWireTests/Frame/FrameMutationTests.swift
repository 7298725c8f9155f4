import SondeTestKit
import SondeWire
import Testing

@Suite struct FrameMutationTests {
    @Test(arguments: FrameFixture.all)
    func aFrameThatTheCaptureCutsIsNeverMalformed(_ fixture: FrameFixture) {
        let whole = fixture.decoded()
        #expect(whole.malformation == .none && whole.transportFault == .none && !whole.isTruncated)
        for captured in fixture.bytes.indices {
            let frame = fixture.decoded(captured: captured)
            let broken = FrameInvariants.broken(frame, captured: captured, wireLength: fixture.bytes.count)
            #expect(broken == [], "cut at \(captured)")
            #expect(frame.malformation == .none && frame.transportFault == .none, "cut at \(captured)")
            guard !frame.isTruncated else { continue }
            // Only the end of the payload is missing, and nothing else is told in another way.
            var expected = whole
            expected.payloadCaptured = frame.payloadCaptured
            #expect(frame == expected, "cut at \(captured)")
        }
    }

    @Test(arguments: FrameFixture.all)
    func aFrameThatEndsEarlyOnTheWireIsNeverTruncated(_ fixture: FrameFixture) {
        for length in fixture.bytes.indices {
            let frame = fixture.decoded(captured: length, wireLength: length)
            #expect(FrameInvariants.broken(frame, captured: length, wireLength: length) == [], "ends at \(length)")
            #expect(!frame.isTruncated)
        }
    }

    @Test(arguments: FrameFixture.all)
    func everyByteMayHaveAnyValue(_ fixture: FrameFixture) {
        let count = fixture.bytes.count
        for index in fixture.bytes.indices {
            let old = fixture.bytes[index]
            let values = [0, 255, old &+ 1, old &- 1, 0x45, 0x60] + (0..<8).map { old ^ 1 << $0 }
            for value in values {
                var bytes = fixture.bytes
                bytes[index] = value
                for captured in [count, count / 2, index + 1] {
                    let frame = FrameFixture.decode(
                        Array(bytes.prefix(captured)), wireLength: count, linkType: fixture.linkType
                    )
                    let broken = FrameInvariants.broken(frame, captured: captured, wireLength: count)
                    if !broken.isEmpty { Issue.record("byte \(index) = \(value), \(captured) captured: \(broken)") }
                }
            }
        }
    }

    @Test func randomBytesOfAnyLinkTypeKeepTheInvariants() {
        var random = SeededGenerator(seed: 4)
        let linkTypes: [UInt32] = [0, 1, 9, 12, 14, 50, 51, 101, 108, 113, 228, 229, 276, 147]
        // The bytes that announce a layer, so that random frames get deep.
        let markers: [[UInt8]] = [
            [0x81, 0], [0x88, 0xa8], [0x88, 0x47], [0x88, 0x64, 0x11, 0], [8, 0, 0x45], [0x86, 0xdd, 0x60],
            [0xaa, 0xaa, 3, 0, 0, 0], [0, 0x21], [0xff, 3], [8, 6],
        ]
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                guard let marker = markers.randomElement(using: &random) else { continue }
                let place = Int.random(in: 0...bytes.count, using: &random)
                bytes.replaceSubrange(place..<min(place + marker.count, bytes.count), with: marker)
            }
            let linkType = LinkType(rawValue: linkTypes.randomElement(using: &random) ?? 1)
            let wireLength = max(0, bytes.count + Int.random(in: -3...40, using: &random))
            let frame = FrameFixture.decode(bytes, wireLength: wireLength, linkType: linkType)
            let broken = FrameInvariants.broken(frame, captured: bytes.count, wireLength: wireLength)
            if !broken.isEmpty { Issue.record("\(linkType) \(bytes), \(wireLength) on the wire: \(broken)") }
        }
    }
}
