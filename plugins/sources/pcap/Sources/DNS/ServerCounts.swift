internal import SondeWire

/// Queries to this host by the address and port that they were sent to; bounded.
struct ServerCounts {
    /// One of them.
    struct Server: Equatable {
        var address: IPAddress
        var port: UInt16
        var queries: UInt64
    }

    /// How many are distinguished: a host has few addresses, and DNS few ports.
    static let bound = 64

    /// The distinguished ones, in the order in which they came.
    private(set) var servers: [Server] = []
    /// Queries to all others.
    private(set) var others: UInt64 = 0
    private let ports: [UInt16]
    private var last = 0

    /// Counts what is sent to these ports; any sender may query another one.
    init(ports: [UInt16]) {
        self.ports = ports
    }

    /// Counts a query.
    mutating func add(_ address: IPAddress, port: UInt16) {
        if last < servers.count, servers[last].port == port, servers[last].address == address {
            servers[last].queries &+= 1
            return
        }
        addOther(address, port)
    }

    @inline(never)
    private mutating func addOther(_ address: IPAddress, _ port: UInt16) {
        if let place = servers.firstIndex(where: { $0.port == port && $0.address == address }) {
            servers[place].queries &+= 1
            last = place
        } else if servers.count < Self.bound, ports.contains(port) {
            last = servers.count
            servers.append(Server(address: address, port: port, queries: 1))
        } else {
            others &+= 1
        }
    }
}
