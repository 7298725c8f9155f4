internal import Glibc

/// A Unix socket that senders connect to.
final class UnixSocket {
    let path: String
    let descriptor: Int32

    // SOCK_STREAM, SOCK_NONBLOCK and SOCK_CLOEXEC; Swift sees the enum constants as one type or another.
    private static let kind: Int32 = 1 | O_NONBLOCK | O_CLOEXEC
    private static let backlog: Int32 = 16

    init(_ path: String) throws(DnstapListener.Failure) {
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path), !path.utf8.contains(0) else {
            throw .pathTooLong
        }
        self.path = path
        descriptor = socket(AF_UNIX, Self.kind, 0)
        guard descriptor >= 0 else { throw .system(errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes the path and listens there.
    func bind(mode: mode_t) throws(DnstapListener.Failure) {
        try removeStale()
        // The mode of a socket before it is bound limits that of its file: no client connects before the line below.
        guard fchmod(descriptor, mode) == 0, withAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw errno == EADDRINUSE ? .inUse : .system(errno)
        }
        guard chmod(path, mode) == 0, listen(descriptor, Self.backlog) == 0 else {
            let number = errno
            unlink(path)
            throw .system(number)
        }
    }

    /// A socket without a listener refuses connections: the process that made it has ended.
    private func removeStale() throws(DnstapListener.Failure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .occupied }
        let probe = socket(AF_UNIX, Self.kind, 0)
        guard probe >= 0 else { throw .system(errno) }
        defer { close(probe) }
        guard withAddress({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else { throw .inUse }
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno) }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafeBytes(of: &address) { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
}
