import Glibc

/// A client's connection at the server's end.
///
/// Used from the connection's own thread.
final class ServerConnection {
    /// From 0, in the order of arrival.
    let number: Int
    /// How many bytes went into the socket.
    private(set) var written = 0
    private(set) var isOpen = true

    // Enumerations and macros that the module map of glibc leaves out (bits/socket.h, bits/poll.h).
    private static let peek = Int32(0x02)
    private static let quietly = Int32(0x4000 | 0x40)
    private static let peerHangup = Int32(0x2000)

    private let socket: Int32
    private let stopped: Int32
    private let record: (ReceivedRequest) -> Void

    init(_ socket: Int32, number: Int, stopped: Int32, record: @escaping (ReceivedRequest) -> Void) {
        self.socket = socket
        self.number = number
        self.stopped = stopped
        self.record = record
    }

    /// Waits for the first byte of a request; false when none will come.
    func waitForRequest() -> Bool {
        var byte: UInt8 = 0
        return wait(for: POLLIN) && recv(socket, &byte, 1, Self.peek) == 1
    }

    /// Reads one request to its end and records it; false when it breaks off.
    @discardableResult
    func readRequest() -> Bool {
        guard let (head, rest) = readHead() else { return false }
        let request = ReceivedRequest(head: head, body: [], connection: number)
        let size = request.header("Content-Length").flatMap { Int($0) } ?? 0
        var body = rest
        while body.count < size {
            guard let more = read(min(65_536, size - body.count)) else { return false }
            body += more
        }
        record(ReceivedRequest(head: head, body: body, connection: number))
        return true
    }

    /// Reads the header section alone and records the request without its body.
    @discardableResult
    func readHeadOnly() -> Bool {
        guard let (head, _) = readHead() else { return false }
        record(ReceivedRequest(head: head, body: [], connection: number))
        return true
    }

    /// Writes; false when the client is gone or the server stops.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            guard wait(for: POLLOUT) else { return false }
            let count = bytes.withUnsafeBytes { buffer in
                send(
                    socket,
                    buffer.baseAddress?.advanced(by: start),
                    bytes.count - start,
                    Self.quietly
                )
            }
            guard count > 0 else { return false }
            start += count
            written += count
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Waits this long; false when the client went or the server stops before.
    func pause(milliseconds: Int32) -> Bool {
        var entries = [
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(Self.peerHangup), revents: 0),
        ]
        return poll(&entries, 2, milliseconds) == 0
    }

    /// Waits until the client goes or the server stops.
    func waitForEnd() {
        _ = pause(milliseconds: -1)
    }

    /// Closes in good order.
    func finish() {
        guard isOpen else { return }
        isOpen = false
        close(socket)
    }

    /// Says that no more comes, and closes when the client has, like nginx's lingering_close.
    ///
    /// Closed with bytes unread, the socket would send a RST, and the client might lose an answer it has not read yet.
    func finishLingering() {
        guard isOpen else { return }
        shutdown(socket, Int32(SHUT_WR))
        while read(65_536) != nil {}
        finish()
    }

    /// Closes with RST.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        finish()
    }

    private func readHead() -> (head: String, rest: [UInt8])? {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) {
                return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 4)...]))
            }
            guard let more = read(65_536) else { return nil }
            bytes += more
        }
    }

    private func read(_ most: Int) -> [UInt8]? {
        guard wait(for: POLLIN) else { return nil }
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(socket, &buffer, most, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func wait(for event: Int32) -> Bool {
        var entries = [
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(event), revents: 0),
        ]
        while true {
            let count = poll(&entries, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && entries[0].revents == 0
        }
    }
}
