/// Bytes of a channel as they come, taken out frame by frame.
struct FrameBuffer {
    private static let keptCapacity = 256 << 10

    private var storage: [UInt8] = []
    private var start = 0
    private var end = 0

    /// Lets `read` fill free memory of at least 64 KiB and return how many bytes came.
    mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        if storage.count - end < 64 << 10 { makeRoom() }
        let count = storage.withUnsafeMutableBytes { read(UnsafeMutableRawBufferPointer(rebasing: $0[end...])) }
        if count > 0 { end += count }
        return count
    }

    /// The next whole frame, given to `body`, or nil when it has not come whole.
    mutating func next<Result>(
        _ body: (ChildFrame.Kind, inout ByteReader) throws(ChannelFlaw) -> Result
    ) throws(ChannelFlaw) -> Result? {
        guard end - start >= 5 else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(storage[start + $1]) << (8 * $1) }
        guard (1...ChildFrame.limit).contains(length) else {
            throw .malformed("sent a frame of \(length) bytes")
        }
        guard end - start - 4 >= length else { return nil }
        guard let kind = ChildFrame.Kind(rawValue: storage[start + 4]) else {
            throw .malformed("sent a frame of the unknown kind \(storage[start + 4])")
        }
        defer { consume(4 + length) }
        let range = (start + 5)..<(start + 4 + length)
        return try storage.withUnsafeBufferPointer { bytes throws(ChannelFlaw) in
            var reader = ByteReader(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
            return try body(kind, &reader)
        }
    }

    private mutating func consume(_ count: Int) {
        start += count
        guard start == end else { return }
        (start, end) = (0, 0)
        // One large batch must not cost its size for ever.
        if storage.count > Self.keptCapacity { storage = [] }
    }

    private mutating func makeRoom() {
        if start > 0 {
            storage.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                base.copyMemory(from: base + start, byteCount: end - start)
            }
            (start, end) = (0, end - start)
        }
        let wanted = max(end + (64 << 10), end * 2)
        if storage.count < wanted { storage += [UInt8](repeating: 0, count: wanted - storage.count) }
    }
}
