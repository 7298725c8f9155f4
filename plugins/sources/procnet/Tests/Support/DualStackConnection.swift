import Glibc

/// A connection of IPv4 that a listener of IPv6 has accepted.
final class DualStackConnection {
    private let descriptors: [Int32]

    init() throws {
        let listener = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        guard isBound, listen(listener, 1) == 0 else { throw Loopback.Failure() }
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try Loopback.connect(client, port: Loopback.port(listener))
        descriptors = [listener, client, accept(listener, nil, nil)]
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
