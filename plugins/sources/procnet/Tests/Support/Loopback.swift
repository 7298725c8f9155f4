import Glibc

/// Sockets on 127.0.0.1, on ports of the kernel's choice.
enum Loopback {
    struct Failure: Error {
        let number = errno
    }

    static func bound(_ type: __socket_type) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        guard withSocketAddress(&address, { bind(descriptor, $0, $1) }) == 0 else { throw Failure() }
        return descriptor
    }

    /// The port that a socket is bound to.
    static func port(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard withSocketAddress(&address, { pointer, _ in getsockname(descriptor, pointer, &size) }) == 0 else {
            throw Failure()
        }
        return UInt16(bigEndian: address.sin_port)
    }

    static func connect(_ descriptor: Int32, to other: Int32) throws {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard withSocketAddress(&address, { pointer, _ in getsockname(other, pointer, &size) }) == 0 else {
            throw Failure()
        }
        guard withSocketAddress(&address, { Glibc.connect(descriptor, $0, $1) }) == 0 else { throw Failure() }
    }

    /// Connects to a port on 127.0.0.1.
    static func connect(_ descriptor: Int32, port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        guard withSocketAddress(&address, { Glibc.connect(descriptor, $0, $1) }) == 0 else { throw Failure() }
    }

    private static func withSocketAddress(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A TCP connection with both of its ends, and its listener: three sockets.
final class LoopbackConnection {
    private let descriptors: [Int32]

    init() throws {
        let listener = try Loopback.bound(SOCK_STREAM)
        guard listen(listener, 1) == 0 else { throw Loopback.Failure() }
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try Loopback.connect(client, to: listener)
        descriptors = [listener, client, accept(listener, nil, nil)]
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
