import Glibc

/// An address of IPv4 or IPv6, of IPv6 with the scope of a link-local one: `fe80::1%eth0`.
struct PeerAddress {
    let family: Int32
    private let bytes: [UInt8]

    /// Nil for a name: asking a resolver would hold the source for as long as it does not answer.
    init?(_ text: String) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = 2
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &list) == 0, let list else { return nil }
        defer { freeaddrinfo(list) }
        family = list.pointee.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: list.pointee.ai_addr, count: Int(list.pointee.ai_addrlen)))
    }

    var isSixth: Bool { family == AF_INET6 }

    /// Sends a datagram there; returns what sendto(2) does.
    func send(_ message: [UInt8], through descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            let address = start.assumingMemoryBound(to: sockaddr.self)
            return sendto(descriptor, message, message.count, 0, address, socklen_t(bytes.count))
        }
    }
}
