internal import Glibc

/// Standard output and standard error, written without buffering.
enum StandardStream {
    /// Writes everything to standard output; false when its reader has gone or it cannot be written.
    @discardableResult
    static func output(_ bytes: [UInt8]) -> Bool {
        write(bytes, to: STDOUT_FILENO)
    }

    /// Writes a line to standard error.
    static func error(_ line: String) {
        _ = write(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }

    /// Whether standard error is a terminal that wants colours.
    static var errorWantsColor: Bool {
        isatty(STDERR_FILENO) == 1 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
