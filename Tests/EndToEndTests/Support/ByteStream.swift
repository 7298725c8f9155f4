import Glibc

/// This end of a pipe or terminal, read without blocking; closed at the latest when nobody holds it.
final class ByteStream {
    private var descriptor: Int32
    private(set) var text = ""
    private(set) var isAtEnd = false

    /// Takes over a descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close()
    }

    /// Writes to the other end.
    func write(_ text: String) {
        _ = Glibc.write(descriptor, text, text.utf8.count)
    }

    /// How many bytes are there to be read.
    var waiting: Int32 {
        var count: Int32 = 0
        // FIONREAD, asm-generic/ioctls.h.
        guard ioctl(descriptor, 0x541b, &count) == 0 else { return 0 }
        return count
    }

    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Reads what is there and returns everything so far.
    @discardableResult
    func drain() -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isAtEnd {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            // A terminal whose other end is closed fails with EIO.
            if count <= 0 { isAtEnd = true } else { text += String(decoding: buffer[..<count], as: UTF8.self) }
        }
        return text
    }

    /// Reads until `condition` holds for what was read so far.
    func read(until what: String, _ condition: (String) -> Bool) async throws {
        try await eventually("\(what), read so far: \(text)") { condition(drain()) }
    }
}
