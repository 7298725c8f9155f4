internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// A socket that listens until it is released.
final class Listener {
    let descriptor: Int32
    /// Of a Unix socket that is bound.
    private var path: String?

    /// Opens the socket; a Unix socket that nobody listens at any more is replaced.
    init(_ address: ListenAddress, mode: mode_t) throws(PluginError) {
        switch address.place {
        case .ipv4(let bytes):
            descriptor = try Self.open(AF_INET, address)
            var socket = sockaddr_in()
            socket.sin_family = sa_family_t(AF_INET)
            socket.sin_port = address.port.bigEndian
            withUnsafeMutableBytes(of: &socket.sin_addr) { $0.copyBytes(from: bytes) }
            try bind(socket, address)
        case .ipv6(let bytes):
            descriptor = try Self.open(AF_INET6, address)
            var socket = sockaddr_in6()
            socket.sin6_family = sa_family_t(AF_INET6)
            socket.sin6_port = address.port.bigEndian
            withUnsafeMutableBytes(of: &socket.sin6_addr) { $0.copyBytes(from: bytes) }
            try bind(socket, address)
        case .unix(let path):
            descriptor = try Self.open(AF_UNIX, address)
            var socket = sockaddr_un()
            socket.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &socket.sun_path) { $0.copyBytes(from: path.utf8) }
            try Self.removeAbandoned(path, socket, address)
            try bind(socket, address)
            self.path = path
            guard chmod(path, mode) == 0 else { throw Self.failure(address, errno) }
        }
        guard listen(descriptor, 128) == 0 else { throw Self.failure(address, errno) }
    }

    deinit {
        if let path { unlink(path) }
        close(descriptor)
    }

    /// Another descriptor of the socket, or -1.
    func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

    /// Whether a number is a descriptor of the socket.
    func isSame(_ other: Int32) -> Bool {
        var (own, its) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && fstat(other, &its) == 0 && own.st_dev == its.st_dev
            && own.st_ino == its.st_ino
    }

    /// The port that it has got; 0 for a Unix socket.
    var port: UInt16 {
        var socket = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &socket) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        // The port is at the same place in sockaddr_in.
        return status == 0 && path == nil ? UInt16(bigEndian: socket.sin6_port) : 0
    }

    private static func open(_ family: Int32, _ address: ListenAddress) throws(PluginError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw failure(address, errno) }
        var (on, off): (Int32, Int32) = (1, 0)
        let size = socklen_t(MemoryLayout<Int32>.size)
        if family != AF_UNIX { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size) }
        // `:9469` is for IPv4 too, whatever the system's default.
        if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size) }
        return descriptor
    }

    private func bind<Address>(_ socket: Address, _ address: ListenAddress) throws(PluginError) {
        let status = withUnsafePointer(to: socket) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0 else { throw Self.failure(address, errno) }
    }

    /// Removes the socket that an agent which was killed has left.
    private static func removeAbandoned(
        _ path: String, _ socket: sockaddr_un, _ address: ListenAddress
    ) throws(PluginError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw failure(address, EEXIST) }
        let trial = try open(AF_UNIX, address)
        defer { close(trial) }
        let result = withUnsafePointer(to: socket) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(trial, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result != 0, errno == ECONNREFUSED else { throw failure(address, EADDRINUSE) }
        unlink(path)
    }

    private static func failure(_ address: ListenAddress, _ code: Int32) -> PluginError {
        // Another agent may be about to end, and an address about to come.
        let passes = code == EADDRINUSE || code == EADDRNOTAVAIL || code == EMFILE || code == ENFILE || code == ENOBUFS
        let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return PluginError(
            ScrapeCode.listening, passes ? .resource : .configuration, "cannot listen at \(address.text): \(words)",
            hint: "See which program has the port (ss -ltnp), or choose another.", optionPath: "listen")
    }
}
