import Glibc

/// Sockets on 127.0.0.1 and pipes.
enum Loopback {
    struct Failure: Error {
        let call: String
        let code = errno
    }

    // bits/socket.h and bits/in.h; the module map of glibc leaves the enumeration out.
    private static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// A socket that listens on a free port.
    static func listener() throws -> (socket: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, stream, 0)
        let port = try bind(descriptor)
        guard listen(descriptor, 64) == 0 else { throw Failure(call: "listen") }
        return (descriptor, port)
    }

    /// A port for a program that binds with SO_REUSEPORT, and the socket that keeps it from anybody else meanwhile.
    static func reservedPort() throws -> (holder: Int32, port: UInt16) {
        let holder = socket(AF_INET, stream, 0)
        var on: Int32 = 1
        setsockopt(holder, SOL_SOCKET, SO_REUSEPORT, &on, socklen_t(MemoryLayout<Int32>.size))
        return (holder, try bind(holder))
    }

    /// Whether somebody listens on a port.
    static func answers(_ port: UInt16) -> Bool {
        let client = socket(AF_INET, stream, 0)
        defer { close(client) }
        return withAddress(port) { Glibc.connect(client, $0, $1) } == 0
    }

    /// A connection to a port, which the caller closes.
    static func connect(_ port: UInt16) throws -> Int32 {
        let client = socket(AF_INET, stream, 0)
        guard withAddress(port, { Glibc.connect(client, $0, $1) }) == 0 else {
            close(client)
            throw Failure(call: "connect")
        }
        return client
    }

    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(call: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits until a descriptor is ready; false when `stopped` was closed before.
    static func wait(for descriptor: Int32, unless stopped: Int32, event: Int16 = Int16(POLLIN)) -> Bool {
        var entries = [
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: event, revents: 0),
        ]
        while true {
            let count = poll(&entries, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && entries[0].revents == 0
        }
    }

    private static func bind(_ descriptor: Int32) throws -> UInt16 {
        guard withAddress(0, { Glibc.bind(descriptor, $0, $1) }) == 0 else { throw Failure(call: "bind") }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard code == 0 else { throw Failure(call: "getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
