internal import SondeWire

/// The address at which the resolver of a log is queried.
struct ResolverAddress: Hashable {
    /// The port of DNS (RFC 1035, section 4.2).
    static let standardPort: UInt16 = 53

    /// The address; the unspecified one of a family means every address of it.
    var address: IPAddress
    var port: UInt16

    init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// From `127.0.0.1:53`, `[::1]:53`, or only an address; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        // More than one colon is IPv6, which has a port only after brackets.
        let hasPort = parts.count == 2 || text.hasPrefix("[") && !text.hasSuffix("]")
        let host = hasPort ? String(text[..<(text.lastIndex(of: ":") ?? text.endIndex)]) : text
        guard host.hasPrefix("[") == host.hasSuffix("]"), let address = Self.address(host) else { return nil }
        guard hasPort else {
            self.init(address, port: Self.standardPort)
            return
        }
        guard let port = parts.last.flatMap({ UInt16($0) }), port > 0 else { return nil }
        self.init(address, port: port)
    }

    private static func address(_ text: String) -> IPAddress? {
        var text = text
        return text.withUTF8 { LogBytes(UnsafeRawBufferPointer($0)).address }
    }
}

/// The addresses at which a resolver was queried, from its messages; bounded.
struct SeenResolvers {
    /// How many are kept at most: what a resolver listens at.
    static let bound = 16

    private(set) var all: [ResolverAddress] = []

    /// Takes the address of a message.
    @inline(always)
    mutating func add(_ address: IPAddress?, _ port: UInt16?) {
        guard let address, let port, all.count < Self.bound else { return }
        let seen = ResolverAddress(address, port: port)
        if !all.contains(seen) { all.append(seen) }
    }
}
