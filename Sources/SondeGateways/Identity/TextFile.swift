internal import Glibc

/// Small text files, read and replaced whole.
enum TextFile {
    /// The file's text, or nil when it cannot be read or is larger than `limit` bytes.
    static func read(_ path: String, limit: Int) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let step = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { return nil }
            if step == 0 { return String(decoding: bytes[..<count], as: UTF8.self) }
            count += step
        }
        return nil
    }

    /// Replaces the file by rename, so that a crash leaves the old one or the new one.
    ///
    /// False: errno says why.
    static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
        let temporary = "\(path).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten else {
            unlink(temporary)
            return false
        }
        return rename(temporary, path) == 0
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
