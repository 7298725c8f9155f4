import Glibc

/// Sockets on 127.0.0.1.
enum Loopback {
    struct Failure: Error {
        let call: String
        let code = errno
    }

    /// Binds to a free port, listens, and returns the port.
    static func listen(_ socket: Int32) throws -> UInt16 {
        let port = try bind(socket)
        guard Glibc.listen(socket, 64) == 0 else { throw Failure(call: "listen") }
        return port
    }

    /// Binds to a path and listens; there is no port.
    static func listen(_ socket: Int32, at path: String) throws -> UInt16 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, Glibc.listen(socket, 64) == 0 else { throw Failure(call: "listen") }
        return 0
    }

    /// A port without a listener, and the socket that reserves it.
    static func closedPort() throws -> (port: UInt16, holder: Int32) {
        let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        return (try bind(holder), holder)
    }

    /// A port for a program that binds with SO_REUSEPORT, and the socket that reserves it meanwhile.
    static func reservedPort() throws -> (port: UInt16, holder: Int32) {
        let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(holder, SOL_SOCKET, SO_REUSEPORT, &on, socklen_t(MemoryLayout<Int32>.size))
        return (try bind(holder), holder)
    }

    /// Waits until there is a listener; false when there is none for twenty seconds.
    static func awaitListener(_ port: UInt16) -> Bool {
        for _ in 0..<2_000 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(client) }
            var address = address(port)
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    connect(client, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if code == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(call: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func bind(_ socket: Int32) throws -> UInt16 {
        var address = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(socket, pointer, size) | getsockname(socket, pointer, &size)
            }
        }
        guard code == 0 else { throw Failure(call: "bind") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
