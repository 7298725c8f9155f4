internal import Glibc
internal import SondeFormats
internal import SondeGateways

/// Standard output and standard error, written without buffering.
enum StandardStream {
    /// Puts /dev/null where a standard stream is closed.
    ///
    /// The next descriptor that is opened would take its number, and log lines would be written into a file or a timer.
    /// Each is opened for the wrong direction, so that its use fails as that of a closed stream does.
    static func occupyClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a command's result to standard output; a failure is reported, unless the reader has closed it.
    static func output(_ bytes: [UInt8]) -> ExitCode {
        guard !DescriptorWriter.write(bytes, to: STDOUT_FILENO) else { return .ok }
        if errno != EPIPE { error("error: cannot write to standard output: \(String(cString: strerror(errno)))") }
        return .failure
    }

    /// Writes lines, in colour where that is configured.
    static func output(_ lines: [StyledLine]) -> ExitCode {
        var buffer = ByteBuffer()
        for line in lines {
            line.append(to: &buffer, color: outputColor)
            buffer.append(0x0a)
        }
        return output(buffer.bytes)
    }

    /// Writes a line to standard error.
    static func error(_ line: String) {
        _ = DescriptorWriter.write(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }

    /// Colour when standard output is a terminal and NO_COLOR is not set.
    static var outputColor: TableColor {
        let isRefused = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return isatty(STDOUT_FILENO) == 1 && !isRefused ? .ansi : .none
    }

    /// How many columns standard output has: what COLUMNS says, else those of the terminal, else 80.
    static var outputColumns: Int { givenColumns ?? terminalColumns ?? 80 }

    /// What the variable COLUMNS says (POSIX.1-2017, section 8.3); nil: nothing that can be meant.
    private static var givenColumns: Int? {
        getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap { (20...10_000).contains($0) ? $0 : nil }
    }

    /// The columns of the terminal at standard output; nil: it is not a terminal, or they are not known.
    static var terminalColumns: Int? {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
        return Int(window.ws_col)
    }
}
