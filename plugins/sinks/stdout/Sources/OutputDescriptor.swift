internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// A descriptor that is written to without ever blocking longer than a call may take.
///
/// O_NONBLOCK belongs to the open file, which standard output shares with the shell and with other programs, so it is
/// not set there. Pipes and terminals are opened again through /proc/self/fd, which makes an open file of our own.
/// Where that is not possible, pieces of PIPE_BUF bytes are written after poll(2) reports that there is room.
final class OutputDescriptor {
    private static let piece = 4_096

    private let shared: Int32
    private var own: Int32?
    private let now: () -> MonotonicInstant

    init(_ descriptor: Int32, now: @escaping () -> MonotonicInstant) {
        shared = descriptor
        self.now = now
    }

    deinit {
        if let own { close(own) }
    }

    /// The descriptor whose terminal is queried.
    var rawValue: Int32 { shared }

    /// Opens the pipe or terminal again; may be called repeatedly.
    func open() {
        guard own == nil else { return }
        var status = stat()
        guard fstat(shared, &status) == 0 else { return }
        let type = status.st_mode & S_IFMT
        guard type == S_IFIFO || type == S_IFCHR else { return }
        let descriptor = Glibc.open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { own = descriptor }
    }

    /// Writes bytes from `offset` on and moves it past what was written, also when it throws.
    func write(_ bytes: [UInt8], from offset: inout Int, _ call: PluginCall) throws(PluginError) {
        while offset < bytes.count {
            try waitForRoom(call)
            let count = bytes.withUnsafeBytes { source in
                let rest = source[min(offset, source.count)...].prefix(own == nil ? Self.piece : .max)
                let part = UnsafeRawBufferPointer(rebasing: rest)
                return Glibc.write(own ?? shared, part.baseAddress, part.count)
            }
            let code = errno
            if count >= 0 {
                offset += count
            } else if code == EAGAIN {
                try pause(call)
            } else if code != EINTR {
                throw failure(code)
            }
        }
    }

    // poll(2) said that there is room and write(2) found none: another writer was faster, or the driver rounds.
    private func pause(_ call: PluginCall) throws(PluginError) {
        guard now() < call.deadline else { throw blocked() }
        var polled = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, 10) > 0 { throw .cancelled }
    }

    private func waitForRoom(_ call: PluginCall) throws(PluginError) {
        while true {
            var polled = [
                pollfd(fd: own ?? shared, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&polled, 2, milliseconds(until: call.deadline))
            // What is wrong with the descriptor is best reported by write(2).
            if count > 0, polled[0].revents != 0 { return }
            if count > 0 { throw .cancelled }
            guard count < 0 else { throw blocked() }
            guard errno == EINTR else {
                throw PluginError(OutputCode.failed, .transient, "poll failed: \(Self.text(errno))")
            }
        }
    }

    private func milliseconds(until deadline: MonotonicInstant) -> Int32 {
        guard deadline < .distantFuture else { return -1 }
        let left = deadline.since(now()).value
        guard left > 0 else { return 0 }
        return Int32(clamping: left / 1_000_000 &+ 1)
    }

    private func failure(_ code: Int32) -> PluginError {
        switch code {
        // EIO: the terminal hung up. EBADF: there never was a standard output.
        case EPIPE, EIO, EBADF, ECONNRESET:
            return PluginError(OutputCode.closed, .configuration, "standard output is closed")
        case ENOSPC, EDQUOT, EFBIG:
            return PluginError(
                OutputCode.failed,
                .resource,
                "writing to standard output failed: \(Self.text(code))",
                hint: "Make room where the output is redirected to."
            )
        default:
            return PluginError(OutputCode.failed, .transient, "writing to standard output failed: \(Self.text(code))")
        }
    }

    private func blocked() -> PluginError {
        PluginError(
            OutputCode.blocked,
            .transient,
            "standard output takes nothing: its reader has stopped reading",
            hint: "Resume the reader (Ctrl-Q on a terminal)."
        )
    }

    private static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        return buffer.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return "errno \(code)" }
            return strerror_r(code, base, bytes.count) == 0 ? String(cString: base) : "errno \(code)"
        }
    }
}
