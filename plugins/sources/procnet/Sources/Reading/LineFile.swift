internal import Glibc

/// A file that is too long to be kept whole: it is read line by line through a buffer that stays small.
struct LineFile {
    let path: String
    /// Bytes that are read at most.
    let limit: Int

    /// Hands out every line without its end, and returns how many bytes there were; a last line without an end was cut, and
    /// is left out.
    ///
    /// A line that is longer than the buffer is left out, too.
    func forEachLine(_ buffer: ProcBuffer, _ body: (UnsafeRawBufferPointer) -> Void) throws(ReadFailure) -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ReadFailure(errno: errno) }
        defer { _ = close(descriptor) }
        var kept = 0
        var total = 0
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[kept...])
            let count = read(descriptor, room.baseAddress, room.count)
            if count == 0 { return total }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw ReadFailure(errno: errno)
            }
            total &+= count
            guard total <= limit else { throw .tooLarge }
            kept = Self.takeLines(buffer, min(kept &+ count, buffer.bytes.count), body)
        }
    }

    /// Hands out the whole lines among the first `count` bytes, and moves what is left to the beginning.
    private static func takeLines(
        _ buffer: ProcBuffer,
        _ count: Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        let bytes = buffer.prefix(count)
        guard let end = bytes.lastIndex(of: ByteScanner.newline) else { return count < buffer.bytes.count ? count : 0 }
        var scanner = ByteScanner(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        while let line = scanner.line() { body(line) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<rest.count]).copyMemory(from: rest)
        return rest.count
    }
}
