internal import Glibc

/// The end of a gzip file, which tells how long the original was.
enum GzipTrailer {
    /// Whether a compressed file claims the length of the original, modulo 2^32 (RFC 1952, ISIZE).
    static func matches(compressed: String, original: String) -> Bool {
        var status = stat()
        guard lstat(original, &status) == 0 else { return false }
        return originalLength(of: compressed) == UInt32(truncatingIfNeeded: status.st_size)
    }

    private static func originalLength(of path: String) -> UInt32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 18 else {
            return nil
        }
        var length: UInt32 = 0
        guard pread(descriptor, &length, 4, status.st_size - 4) == 4 else { return nil }
        return UInt32(littleEndian: length)
    }
}
