internal import Glibc

/// Memory that ends at an unreadable page: a read past its end crashes.
final class MemoryEdge {
    private static let size = 64 << 10
    private let start: UnsafeMutableRawPointer

    init() {
        let room = Self.size + 4_096
        guard let start = mmap(nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED, mprotect(start + Self.size, 4_096, PROT_NONE) == 0
        else { preconditionFailure("the system has no memory for a test") }
        self.start = start
    }

    deinit {
        munmap(start, Self.size + 4_096)
    }

    /// Copies bytes to the end, over what was there.
    func place(_ bytes: UnsafeRawPointer, count: Int) -> UnsafeMutableRawPointer {
        let address = start + (Self.size - count)
        address.copyMemory(from: bytes, byteCount: count)
        return address
    }
}
