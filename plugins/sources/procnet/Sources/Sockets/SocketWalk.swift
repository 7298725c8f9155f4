internal import SondeNetlink

/// Everything that one walk over sockets finds.
struct SocketWalk {
    /// Memory of datagrams that wait.
    struct Queues: Equatable {
        var receive: UInt64 = 0
        var transmit: UInt64 = 0
    }

    /// TCP by state and family.
    var tcp = SocketCounts()
    /// UDP by state and family.
    var udp = SocketCounts()
    /// UDP by port.
    var ports = PortSums()
    /// UDP by family.
    var queues: [2 of Queues] = .init(repeating: Queues())

    init() {}

    /// Counts a UDP socket; `drops` nil: not known.
    mutating func addUDP(_ family: SocketFamily, _ state: SocketState, port: UInt16, drops: UInt64?, _ queues: Queues) {
        udp.add(family, state, isFull: true)
        ports.add(port, drops: drops, queue: queues.receive)
        self.queues[family.index].receive &+= queues.receive
        self.queues[family.index].transmit &+= queues.transmit
    }
}
