internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// What is asked of the kernel about sockets, in one network namespace.
final class SocketKernel {
    private let reader: SocketReader

    init(_ reader: SocketReader) {
        self.reader = reader
    }

    /// The socket of the namespace that the calling thread is in; it stays there.
    ///
    /// Throws ``NetlinkError``.
    convenience init(_ tape: SourceTape? = nil) throws(NetlinkError) {
        self.init(SocketReader(try TapedTransport.make(.socketDiagnostics, tape)))
    }

    /// The listeners of TCP and how many sockets they are: connections are not looked at, however many there are.
    ///
    /// Throws ``NetlinkError``.
    func listeners() throws(NetlinkError) -> (table: ListenerTable, counts: SocketCounts) {
        let empty = (table: ListenerTable(), counts: SocketCounts())
        return try reader.walkTCP(.listen, .memory, from: empty) { found, socket in
            found.counts.add(socket.family, socket.state, isFull: true)
            let (queue, limit) = (UInt64(socket.receiveQueue), UInt64(socket.sendQueue))
            found.table.add(
                socket.localPort,
                ListenerTable.Port(
                    queue: queue,
                    limit: limit,
                    // A limit of 0 lets one wait (`sk_acceptq_is_full`, include/net/sock.h).
                    use: Double(queue) / Double(limit &+ 1),
                    drops: socket.drops.map(UInt64.init)
                )
            )
        }.value
    }

    /// The TCP sockets in these states.
    ///
    /// Throws ``NetlinkError``.
    func connections(_ states: SocketState.Mask) throws(NetlinkError) -> SocketCounts {
        try reader.walkTCP(states, from: SocketCounts()) { counts, socket in
            counts.add(socket.family, socket.state, isFull: socket.isFull)
        }.value
    }

    /// All TCP sockets but listeners, established ones with everything that is known of them.
    ///
    /// Throws ``NetlinkError``.
    func connections(
        _ detail: ConnectionDetail
    ) throws(NetlinkError) -> (counts: SocketCounts, detail: ConnectionDetail) {
        let empty = (counts: SocketCounts(), detail: detail)
        let states = SocketState.Mask.all.subtracting(.listen)
        return try reader.walkTCP(states, .information, from: empty) { found, socket in
            found.counts.add(socket.family, socket.state, isFull: socket.isFull)
            guard socket.state == .established else { return }
            found.detail.add(port: socket.localPort, cgroup: socket.cgroup, socket.information)
        }.value
    }

    /// The UDP sockets, added to a walk.
    ///
    /// Throws ``NetlinkError``.
    func datagrams(_ walk: SocketWalk) throws(NetlinkError) -> SocketWalk {
        try reader.walkUDP(.memory, from: walk) { walk, socket in
            walk.addUDP(
                socket.family,
                socket.state,
                port: socket.localPort,
                drops: socket.drops.map(UInt64.init),
                SocketWalk.Queues(receive: UInt64(socket.receiveQueue), transmit: UInt64(socket.sendQueue))
            )
        }.value
    }
}
