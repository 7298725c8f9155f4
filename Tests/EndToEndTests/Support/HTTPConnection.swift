import Glibc

/// A client's connection at the receiver's end.
///
/// Used from the connection's own thread.
final class HTTPConnection {
    // Macros and enumerations that the module map of glibc leaves out (bits/socket.h, bits/poll.h).
    private static let peek = Int32(0x02)
    private static let withoutSignal = Int32(0x4000)
    private static let peerHangUp = Int16(0x2000)

    private let socket: Int32
    private let stopped: Int32

    init(_ socket: Int32, stopped: Int32) {
        self.socket = socket
        self.stopped = stopped
    }

    func close() { Glibc.close(socket) }

    /// Waits for the first byte of a request; false when none will come.
    func waitForRequest() -> Bool {
        var byte: UInt8 = 0
        return Loopback.wait(for: socket, unless: stopped) && recv(socket, &byte, 1, Self.peek) == 1
    }

    /// Reads one request to its end; nil when it breaks off.
    ///
    /// Names of headers are in lower case.
    func readRequest() -> (headers: [String: String], body: [UInt8])? {
        var bytes: [UInt8] = []
        var headEnd: Int?
        while headEnd == nil {
            guard let more = read() else { return nil }
            bytes += more
            headEnd = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
        }
        guard let headEnd else { return nil }
        let headers = Self.headers(String(decoding: bytes[..<headEnd], as: UTF8.self))
        var body = Array(bytes[(headEnd + 4)...])
        guard let size = headers["content-length"].flatMap({ Int($0) }) else { return nil }
        while body.count < size {
            guard let more = read() else { return nil }
            body += more
        }
        return (headers, body)
    }

    func answer(_ status: Int, _ headers: [String], body: String = "") {
        let head = ["HTTP/1.1 \(status) Words", "Content-Length: \(body.utf8.count)"] + headers
        write(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// 200, and a body for as long as the client reads.
    func answerWithoutEnd() {
        guard write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") else { return }
        let chunk = "1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n"
        while write(chunk) {}
    }

    func waitForHangUp() {
        var entries = [
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Self.peerHangUp, revents: 0),
        ]
        while poll(&entries, 2, -1) < 0, errno == EINTR {}
    }

    /// Makes `close` send RST.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    @discardableResult
    private func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard Loopback.wait(for: socket, unless: stopped, event: Int16(POLLOUT)) else { return false }
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.withoutSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func read() -> [UInt8]? {
        guard Loopback.wait(for: socket, unless: stopped) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func headers(_ head: String) -> [String: String] {
        var headers: [String: String] = [:]
        for line in head.split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        return headers
    }
}
