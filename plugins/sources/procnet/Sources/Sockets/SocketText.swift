internal import SondeNetlink
internal import SondePluginKit

/// Walks over sockets in the tables that the kernel prints: the last resort, some ten times as dear as sock_diag.
struct SocketText {
    /// A million connections in 150 bytes each.
    private static let limit = 256 << 20

    private let proc: String
    private let tape: SourceTape?
    private let buffer = ProcBuffer(capacity: 64 << 10)

    init(proc: String, tape: SourceTape? = nil) {
        self.proc = proc
        self.tape = tape
    }

    /// What is asked for.
    enum Transport: String {
        case tcp, udp
    }

    /// Adds the sockets of a protocol to a walk, listeners to a table, and returns which families there were.
    ///
    /// Throws `absent` where neither family has a table.
    func read(
        _ transport: Transport,
        into walk: inout SocketWalk,
        listeners: inout ListenerTable,
        problems: inout InputProblemCounts
    ) throws(ReadFailure) -> [SocketFamily] {
        var families: [SocketFamily] = []
        for family in SocketFamily.allCases {
            let file = LineFile(
                path: "\(proc)/net/\(transport.rawValue)\(family == .ipv6 ? "6" : "")", limit: Self.limit, tape: tape)
            do throws(ReadFailure) {
                try read(file, transport, family, into: &walk, listeners: &listeners, problems: &problems)
                families.append(family)
            } catch {
                guard error == .absent else { throw error }
            }
        }
        guard !families.isEmpty else { throw .absent }
        return families
    }

    private func read(
        _ file: LineFile,
        _ transport: Transport,
        _ family: SocketFamily,
        into walk: inout SocketWalk,
        listeners: inout ListenerTable,
        problems: inout InputProblemCounts
    ) throws(ReadFailure) {
        var isFirst = true
        _ = try file.forEachLine(buffer) { bytes in
            defer { isFirst = false }
            guard let line = SocketLine(bytes) else {
                // The names of the columns.
                if !isFirst { problems.count(.malformedLine) }
                return
            }
            switch transport {
            case .tcp:
                walk.tcp.add(family, line.state, isFull: true)
                guard line.state == .listen else { return }
                listeners.add(line.localPort, ListenerTable.Port(queue: line.receiveQueue))
            case .udp:
                let queues = SocketWalk.Queues(receive: line.receiveQueue, transmit: line.transmitQueue)
                walk.addUDP(family, line.state, port: line.localPort, drops: line.drops, queues)
            }
        }
    }
}
