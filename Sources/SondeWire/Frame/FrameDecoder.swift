/// Decodes frames of any link type that is known.
///
/// No state, no allocation, and no sequence of bytes stops it. Any thread may call it.
public enum FrameDecoder {
    /// Decodes the frame whose captured part is `bytes`.
    ///
    /// All of `frame` is written. `wireLength` is how long the frame was on the wire; a smaller one than was captured counts
    /// as what was captured. A link type without `framing` leaves `network` at `none`.
    public static func decode(
        _ bytes: WireBytes, wireLength: UInt32, linkType: LinkType, into frame: inout DecodedFrame
    ) {
        if linkType == .ethernet, decodePlain(bytes, wireLength: wireLength, into: &frame) { return }
        decodeLayers(bytes, wireLength: wireLength, linkType: linkType, into: &frame)
    }

    /// Decodes a frame header by header.
    @inline(never)
    static func decodeLayers(
        _ bytes: WireBytes, wireLength: UInt32, linkType: LinkType, into frame: inout DecodedFrame
    ) {
        frame = DecodedFrame()
        var cursor = FrameCursor(bytes, wireLength: wireLength)
        decodeLink(linkType, &cursor, &frame)
        // A captured frame is at most as long as 32 bits can express.
        frame.payloadOffset = UInt32(truncatingIfNeeded: cursor.offset)
        frame.payloadLength = UInt32(truncatingIfNeeded: cursor.remaining)
        frame.payloadCaptured = UInt32(truncatingIfNeeded: cursor.captured)
    }

    /// Records why a header of `length` bytes could not be read.
    static func miss(_ length: Int, _ fault: Malformation, _ cursor: FrameCursor, _ frame: inout DecodedFrame) {
        if cursor.ends(before: length) {
            frame.malformation = fault
        } else {
            frame.isTruncated = true
        }
    }
}
