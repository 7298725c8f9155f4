internal import CLinux
internal import Glibc
public import SondeDomain
public import SondeFormats

/// Sends requests to a running agent over its control socket.
///
/// Used from one thread.
public final class ControlClient {
    private static let chunk = 65_536
    // Milliseconds. Random, so that clients that connect at the same time do not retry at the same time.
    private static let roomPauses: ClosedRange<Int32> = 20...100

    private let socket: OwnedDescriptor
    private let path: String
    private let patience: Nanoseconds
    /// What was received after the line that was read last.
    private var received: [UInt8] = []

    /// A connection to the agent at `path`, which is closed after `patience` without data.
    public init(path: String, patience: Nanoseconds = .seconds(5)) throws(SondeError) {
        self.path = path
        self.patience = patience
        socket = try Self.connected(to: path)
    }

    /// A socket that is connected to the agent at `path`.
    static func connected(to path: String) throws(SondeError) -> OwnedDescriptor {
        guard let address = UnixAddress(path: path) else {
            throw SondeError(control: .controlPathTooLong, "'\(path)' cannot be the path of a socket")
        }
        let socket = try UnixAddress.makeSocket()
        guard address.withPointer({ connect(socket.raw, $0, $1) }) == 0 else {
            let code = errno
            guard code != EAGAIN else {
                throw SondeError(control: .controlBusy, "more clients than the agent takes up wait at '\(path)'")
            }
            let isRefused = code == EACCES || code == EPERM
            throw SondeError(
                control: isRefused ? .controlPeerRefused : .controlNotAnswered,
                (isRefused ? "this user may not ask the agent at" : "no agent answers at")
                    + " '\(path)': \(String(cString: strerror(code)))"
            )
        }
        return socket
    }

    /// Sends one request to the agent at `path`; if it has no free connection, again and again for `roomPatience`.
    public static func ask(
        at path: String,
        _ request: String,
        _ members: [JSONValue.Member] = [],
        for key: String,
        patience: Nanoseconds = .seconds(5),
        roomPatience: Nanoseconds = .seconds(10)
    ) throws(SondeError) -> JSONValue {
        try waitingForRoom(roomPatience) { () throws(SondeError) in
            let client = try ControlClient(path: path, patience: patience)
            return try client.ask(request, members, for: key)
        }
    }

    /// Subscribes to a feed of the agent at `path` and passes on its answers one by one, the first as `ask` waits for
    /// it, until `use` returns a result.
    ///
    /// Throws when the agent refuses, or ends the connection.
    public static func watch<Result>(
        at path: String,
        _ request: String,
        _ members: [JSONValue.Member] = [],
        patience: Nanoseconds = .seconds(5),
        _ use: (JSONValue) -> Result?
    ) throws(SondeError) -> Result {
        let (client, first) = try waitingForRoom(.seconds(10)) { () throws(SondeError) in
            let client = try ControlClient(path: path, patience: patience)
            client.send(request, members)
            return (client, try client.receiveAnswer(by: client.end))
        }
        var answer = first
        while true {
            if let result = use(answer) { return result }
            answer = try client.receiveAnswer(by: .distantFuture)
        }
    }

    private static func waitingForRoom<Result>(
        _ patience: Nanoseconds,
        _ body: () throws(SondeError) -> Result
    ) throws(SondeError) -> Result {
        let clock = SystemClock()
        let end = clock.monotonicTime.advanced(by: patience)
        while true {
            do throws(SondeError) {
                return try body()
            } catch {
                // Such a connection was closed before its request was read: it was not executed.
                guard error.code == .controlBusy, clock.monotonicTime < end else { throw error }
                poll(nil, 0, Int32.random(in: roomPauses))
            }
        }
    }

    /// Sends a request with its members and returns the member `key` of the answer.
    public func ask(
        _ request: String,
        _ members: [JSONValue.Member] = [],
        for key: String
    ) throws(SondeError) -> JSONValue {
        send(request, members)
        guard let value = try receiveAnswer(by: end)[key] else { throw unreadable("it has no '\(key)'") }
        return value
    }

    /// The deadline of an answer that is requested now.
    private var end: MonotonicInstant { SystemClock().monotonicTime.advanced(by: patience) }

    private func send(_ request: String, _ members: [JSONValue.Member]) {
        // An answer that the agent sends before it closes a refused connection is still read.
        let line = ControlMessage.request(request, members)
        _ = Glibc.send(socket.raw, line, line.count, sonde_no_signal)
    }

    private func receiveAnswer(by end: MonotonicInstant) throws(SondeError) -> JSONValue {
        try ControlMessage.answer(try receiveLine(by: end), from: path)
    }

    private func receiveLine(by end: MonotonicInstant) throws(SondeError) -> [UInt8] {
        var line = received
        received = []
        var searched = 0
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while line.count <= ControlMessage.answerLimit {
            if let lineEnd = line[searched...].firstIndex(of: 0x0a) {
                received = Array(line[(lineEnd + 1)...])
                return Array(line[..<lineEnd])
            }
            searched = line.count
            line += buffer[..<(try receive(into: &buffer, by: end))]
        }
        throw unreadable("it is longer than \(ControlMessage.answerLimit) bytes")
    }

    /// How many bytes were received.
    private func receive(into buffer: inout [UInt8], by end: MonotonicInstant) throws(SondeError) -> Int {
        while true {
            var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, Self.milliseconds(until: end))
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else {
                throw SondeError(control: .controlNotAnswered, "the agent at '\(path)' does not answer")
            }
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else {
                throw SondeError(control: .controlNotAnswered, "the agent at '\(path)' closed the connection")
            }
            return count
        }
    }

    private static func milliseconds(until end: MonotonicInstant) -> Int32 {
        guard end != .distantFuture else { return -1 }
        return Int32(clamping: max(0, end.since(SystemClock().monotonicTime).value / 1_000_000))
    }

    private func unreadable(_ what: String) -> SondeError { ControlMessage.unreadable(what, from: path) }
}
