internal import Glibc
internal import SondeFormats

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

    /// Colour when standard output is a terminal and NO_COLOR is not set.
    static var outputColor: TableColor {
        let isRefused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return isatty(STDOUT_FILENO) == 1 && !isRefused ? .ansi : .none
    }

    /// How many columns standard output has; 80 where that is not known.
    static var outputColumns: Int {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 80 }
        return Int(window.ws_col)
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
