internal import Glibc

/// Line ends in bytes, looked for by the C library.
enum LineEnd {
    /// Where the line that begins at `start` is over, its line feed included; the end without one.
    static func after(_ start: Int, in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard bytes.indices.contains(start), let base = bytes.baseAddress,
                let found = memchr(base + start, 0x0a, bytes.count - start)
            else { return bytes.count }
            return UnsafeRawPointer(found) - base + 1
        }
    }
}
