internal import CLinux
internal import Glibc
public import SondeDomain
public import SondeFormats

/// A connection to a running agent that never waits: requests are sent as they come, answers are taken as they arrive.
///
/// Used from one thread.
public final class ControlChannel {
    /// What came of a request.
    public struct Reply {
        /// The number that the request was sent with.
        public let id: Int
        /// The member that was asked for, or why there is none.
        public let result: Result<JSONValue, SondeError>
    }

    private static let chunk = 65_536
    // Requests are short and few: an agent that does not even take so many has ended, or is stopped.
    private static let mostUnsent = 65_536

    private let socket: OwnedDescriptor
    private let path: String
    private var unsent: [UInt8] = []
    private var received: [UInt8] = []
    private var searched = 0
    /// The requests without an answer, in their order, which is that of the answers.
    private var waiting: [(id: Int, key: String)] = []

    /// A connection to the agent at `path`.
    public init(path: String) throws(SondeError) {
        self.path = path
        socket = try ControlClient.connected(to: path)
    }

    /// The descriptor that is readable when ``receive()`` has something to do.
    public var descriptor: Int32 { socket.raw }

    /// Whether ``flush()`` has to be called when the descriptor is writable.
    public var hasUnsent: Bool { !unsent.isEmpty }

    /// Sends a request, whose reply will have the member `key` of the answer.
    public func send(_ request: String, _ members: [JSONValue.Member], for key: String, id: Int) throws(SondeError) {
        waiting.append((id, key))
        unsent += ControlMessage.request(request, members)
        guard unsent.count <= Self.mostUnsent else { throw ended("takes no requests") }
        try flush()
    }

    /// Sends what could not be sent before.
    public func flush() throws(SondeError) {
        while !unsent.isEmpty {
            let count = Glibc.send(socket.raw, unsent, unsent.count, sonde_no_signal)
            if count > 0 {
                unsent.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // What it has sent before it closed the connection is still read.
                unsent = []
            }
        }
    }

    /// The replies that have arrived; throws when the connection has ended, after it was emptied.
    public func receive() throws(SondeError) -> [Reply] {
        var replies: [Reply] = []
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { return replies }
            guard count > 0 else {
                guard replies.isEmpty else { return replies }
                throw ended("closed the connection")
            }
            received += buffer[..<count]
            replies += try takeLines()
        }
    }

    /// The requests that will have no answer, once the connection has ended.
    public func abandon() -> [Int] {
        defer { waiting = [] }
        return waiting.map(\.id)
    }

    private func takeLines() throws(SondeError) -> [Reply] {
        var replies: [Reply] = []
        while let end = received[searched...].firstIndex(of: 0x0a) {
            let line = Array(received[..<end])
            received.removeFirst(end + 1)
            searched = 0
            guard !waiting.isEmpty else { continue }
            let (id, key) = waiting.removeFirst()
            replies.append(Reply(id: id, result: result(line, key)))
        }
        searched = received.count
        guard received.count <= ControlMessage.answerLimit else {
            throw ControlMessage.unreadable("it is longer than \(ControlMessage.answerLimit) bytes", from: path)
        }
        return replies
    }

    private func result(_ line: [UInt8], _ key: String) -> Result<JSONValue, SondeError> {
        do throws(SondeError) {
            let answer = try ControlMessage.answer(line, from: path)
            guard let value = answer[key] else { throw ControlMessage.unreadable("it has no '\(key)'", from: path) }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private func ended(_ what: String) -> SondeError {
        SondeError(control: .controlNotAnswered, "the agent at '\(path)' \(what)")
    }
}
