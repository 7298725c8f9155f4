internal import Glibc

/// The lines of a file one after another, with a bounded buffer.
struct LineReader: ~Copyable {
    private static let chunk = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Opens a regular file; nil when that fails.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next line without its end; nil at the end of the file, and where a line is longer than `limit` bytes.
    mutating func next(limit: Int) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0a) {
                guard end - start <= limit else { return nil }
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            guard !isAtEnd, buffer.count - start <= limit else { return nil }
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            fill()
        }
    }

    // A last line without its end is half of one.
    private mutating func fill() {
        let known = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
        var count = -1
        repeat {
            count = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + known }, Self.chunk)
            }
        } while count < 0 && errno == EINTR
        buffer.removeSubrange((known + max(0, count))...)
        if count <= 0 { isAtEnd = true }
    }
}
