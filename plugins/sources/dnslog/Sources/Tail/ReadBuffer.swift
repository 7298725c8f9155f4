/// Room for one read, shared by all files of a tail.
final class ReadBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    /// Holds at least twice the longest line and what is read again in front of it.
    init(lineLimit: Int) {
        bytes = .allocate(byteCount: max(256 << 10, 2 * lineLimit + 4_096), alignment: 64)
    }

    deinit {
        bytes.deallocate()
    }

    /// The first `count` bytes.
    func filled(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[..<min(max(count, 0), bytes.count)])
    }
}
