import Foundation
import Glibc
import Synchronization

/// A scripted HTTP server on loopback.
///
/// Each request takes the next step of the script, on any connection; the last step repeats.
final class FaultServer: Sendable {
    /// What happens to one request, from the moment at which its first byte is there to be read.
    typealias Step = @Sendable (ServerConnection) -> Void

    private struct State {
        var steps: [Step]
        var requests: [ReceivedRequest] = []
        var connections = 0
        var largestWrite = 0
        var isShutDown = false
    }

    let port: UInt16
    private let listener: Int32
    private let stop: (read: Int32, write: Int32)
    private let state: Mutex<State>
    private let accepting = DispatchGroup()

    /// A server on a free port of 127.0.0.1, or on a Unix socket.
    init(_ steps: [Step], socket path: String? = nil) throws {
        state = Mutex(State(steps: steps))
        let family = path == nil ? AF_INET : AF_UNIX
        listener = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = if let path { try Loopback.listen(listener, at: path) } else { try Loopback.listen(listener) }
        stop = try Loopback.pipe()
        accepting.enter()
        Thread.detachNewThread { [self] in
            acceptConnections()
            accepting.leave()
        }
    }

    var url: String { "http://127.0.0.1:\(port)/ingest" }

    /// Every request so far, oldest first.
    var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    /// How many connections were accepted.
    var connectionCount: Int { state.withLock { $0.connections } }

    /// How much went into the socket of the connection that got most.
    var largestWrite: Int { state.withLock { $0.largestWrite } }

    /// Ends every connection and waits for their threads; once.
    func shutDown() {
        let isOver = state.withLock { state in
            defer { state.isShutDown = true }
            return state.isShutDown
        }
        guard !isOver else { return }
        close(stop.write)
        accepting.wait()
        close(stop.read)
        close(listener)
    }

    private func acceptConnections() {
        while true {
            var entries = [
                pollfd(fd: stop.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) >= 0 || errno == EINTR, entries[0].revents == 0 else { return }
            guard entries[1].revents != 0 else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            let number = state.withLock { state in
                defer { state.connections += 1 }
                return state.connections
            }
            accepting.enter()
            Thread.detachNewThread { [self] in
                serve(client, number)
                accepting.leave()
            }
        }
    }

    private func serve(_ client: Int32, _ number: Int) {
        let connection = ServerConnection(client, number: number, stopped: stop.read) { [self] request in
            state.withLock { $0.requests.append(request) }
        }
        while connection.isOpen, connection.waitForRequest() {
            let step = state.withLock { state in
                state.steps.count > 1 ? state.steps.removeFirst() : state.steps.first
            }
            step?(connection)
        }
        state.withLock { $0.largestWrite = max($0.largestWrite, connection.written) }
        connection.finish()
    }
}

extension FaultServer {
    /// Runs `body` with a server and shuts it down.
    static func run(_ step: @escaping Step, body: (FaultServer) throws -> Void) throws {
        try run([step], body: body)
    }

    /// Runs `body` with a server of several steps and shuts it down.
    static func run(_ steps: [Step], body: (FaultServer) throws -> Void) throws {
        let server = try FaultServer(steps)
        defer { server.shutDown() }
        try body(server)
    }
}
