/// The memory that files are read into, one after another.
final class ProcBuffer {
    private(set) var bytes: UnsafeMutableRawBufferPointer

    /// Every table of a small host fits at once.
    init(capacity: Int = 16 << 10) {
        bytes = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }

    /// Doubles the memory and keeps the first `count` bytes.
    func grow(keeping count: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)]))
        bytes.deallocate()
        bytes = larger
    }

    /// The first `count` bytes.
    func prefix(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)])
    }
}
