internal import Glibc
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// A Unix socket that resolvers send dnstap to.
///
/// One thread uses it: ``wait(_:until:at:)``, ``read(_:)``, repeatedly. A resolver that is not read in time drops
/// messages by itself and logs that itself: dnstap cannot report it.
final class DnstapListener {
    /// Why there is no socket.
    enum Failure: Error, Hashable {
        /// The path does not fit into a socket's address.
        case pathTooLong
        /// The file at the path is no socket.
        case occupied
        /// Another process listens there.
        case inUse
        /// The system refused, with this errno.
        case system(Int32)
    }

    /// What was received since the listener was made; every number only grows.
    struct Counts: Hashable {
        /// Senders that have connected.
        var connections: UInt64 = 0
        /// Senders that were refused because there were too many.
        var refused: UInt64 = 0
        /// Senders whose bytes were no dnstap.
        var broken: UInt64 = 0
        /// Data frames.
        var frames: UInt64 = 0
        /// Data frames that were left out for their length.
        var tooLong: UInt64 = 0
    }

    /// Whether there is more to read right now.
    enum Progress {
        case more
        case drained
    }

    let path: String
    private let socket: UnixSocket
    private let identity: FileIdentity?
    private var connections: [DnstapConnection] = []
    private var counts = Counts()
    private(set) var progress = Progress.drained

    /// How many senders are served at once.
    static let connectionLimit = 16
    /// How many reads of one sender come before the next one's turn.
    private static let readsPerTurn = 16

    /// Makes the socket; `mode` defines who may write to it.
    ///
    /// A socket without a listener is replaced.
    init(_ path: String, mode: mode_t) throws(Failure) {
        self.path = path
        socket = try UnixSocket(path)
        try socket.bind(mode: mode)
        var status = stat()
        identity = lstat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    deinit {
        // Another listener may have taken the path meanwhile.
        var status = stat()
        if lstat(path, &status) == 0, FileIdentity(status) == identity { unlink(path) }
    }

    /// What was received so far.
    var received: Counts {
        connections.reduce(into: counts) { sum, connection in
            sum.frames &+= connection.stream.frames
            sum.tooLong &+= connection.stream.tooLong
        }
    }

    /// How many senders are connected.
    var connectionCount: Int { connections.count }

    /// Takes what has come, without waiting; the bytes of a frame are valid during the call only.
    @discardableResult
    func read(_ body: (WireBytes) -> Void) -> Progress {
        accept()
        progress = .drained
        var open: [DnstapConnection] = []
        for connection in connections {
            switch drain(connection, body) {
            case .progressed:
                progress = .more
                open.append(connection)
            case .drained: open.append(connection)
            case .ended: settle(connection)
            case .broken:
                counts.broken &+= 1
                settle(connection)
            }
        }
        connections = open
        return progress
    }

    /// Waits until something has come, `due` is there, or `cancel` becomes readable.
    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Poll.Wake {
        let span = progress == .more ? .zero : max(due.since(now), .zero)
        return Poll.wait(cancel, [socket.descriptor] + connections.map(\.descriptor), span)
    }

    private func drain(_ connection: DnstapConnection, _ body: (WireBytes) -> Void) -> DnstapConnection.Outcome {
        for _ in 0..<Self.readsPerTurn {
            let outcome = connection.read(body)
            guard case .progressed = outcome else { return outcome }
        }
        return .progressed
    }

    private func accept() {
        while true {
            let client = Glibc.accept(socket.descriptor, nil, nil)
            guard client >= 0 else { return }
            // accept4 is hidden from Swift; a program that is started at this very moment inherits a connection at worst.
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            counts.connections &+= 1
            makeRoom()
            guard connections.count < Self.connectionLimit else {
                counts.refused &+= 1
                close(client)
                continue
            }
            connections.append(DnstapConnection(client))
        }
    }

    /// A connection that sends nothing is closed to make room for the next one.
    private func makeRoom() {
        guard connections.count >= Self.connectionLimit else { return }
        guard let idle = connections.firstIndex(where: { !$0.stream.isOpen }) else { return }
        counts.refused &+= 1
        settle(connections.remove(at: idle))
    }

    /// Keeps the numbers of a connection that is closed.
    private func settle(_ connection: DnstapConnection) {
        counts.frames &+= connection.stream.frames
        counts.tooLong &+= connection.stream.tooLong
    }
}
