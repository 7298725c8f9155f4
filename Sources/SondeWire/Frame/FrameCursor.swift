/// The place in a frame that decoding has reached.
struct FrameCursor {
    /// What was captured of the innermost layer that is known to end, from the frame's first byte.
    private(set) var bytes: WireBytes
    /// Where that layer ends on the wire.
    private(set) var wireEnd: Int
    /// The place; never after `wireEnd`.
    private(set) var offset = 0

    @inline(__always)
    init(_ bytes: WireBytes, wireLength: UInt32) {
        self.bytes = bytes
        // Some writers get the length on the wire wrong: what was captured was there.
        wireEnd = max(Int(wireLength), bytes.count)
    }

    /// How many bytes follow on the wire.
    var remaining: Int { wireEnd &- offset }

    /// How many of them were captured.
    var captured: Int { max(bytes.count &- offset, 0) }

    /// Whether `length` bytes were captured here.
    @inline(__always)
    func holds(_ length: Int) -> Bool {
        length <= captured
    }

    /// Whether the layer ends on the wire before `length` bytes: it is broken, not cut off by the capture.
    @inline(__always)
    func ends(before length: Int) -> Bool {
        length > remaining
    }

    /// Skips a header that does not exceed the layer's end.
    @inline(__always)
    mutating func skip(_ length: Int) {
        offset &+= length
    }

    /// Ends the layer `length` bytes from here, when that is before its end so far.
    @inline(__always)
    mutating func end(after length: Int) {
        guard length < remaining else { return }
        wireEnd = offset &+ length
        bytes = bytes.prefix(wireEnd)
    }
}
