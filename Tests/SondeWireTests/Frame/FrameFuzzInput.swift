@testable import SondeWire

/// How the fuzzer's bytes become a frame: two of the link type, one of how much the capture cut off, then the frame.
enum FrameFuzzInput {
    /// The invariants that decoding breaks; none for an input that is too short.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard input.count >= 3 else { return [] }
        let linkType = LinkType(rawValue: UInt32(input[0]) << 8 | UInt32(input[1]))
        let bytes = UnsafeRawBufferPointer(rebasing: input[3...])
        let wireLength = bytes.count + Int(input[2])
        var frame = DecodedFrame()
        FrameDecoder.decode(WireBytes(bytes), wireLength: UInt32(wireLength), linkType: linkType, into: &frame)
        // Every byte of the payload must be there.
        let sum = frame.payload(of: WireBytes(bytes)).buffer.reduce(0) { $0 &+ Int($1) }
        var broken = FrameInvariants.broken(frame, captured: bytes.count, wireLength: wireLength)
        if frame != layers(bytes, wireLength, linkType) { broken.append("a plain frame is what its layers are") }
        return sum < 0 ? broken + ["payload"] : broken
    }

    /// The frame, decoded without the short way that plain ones take.
    private static func layers(
        _ bytes: UnsafeRawBufferPointer, _ wireLength: Int, _ linkType: LinkType
    ) -> DecodedFrame {
        var frame = DecodedFrame()
        FrameDecoder.decodeLayers(
            WireBytes(bytes), wireLength: UInt32(wireLength), linkType: linkType, into: &frame)
        return frame
    }
}
