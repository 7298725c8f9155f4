import Foundation
import Glibc

/// One connection to `sonde web`, which sends what a test writes and reads as a browser does.
final class WebClient {
    /// An answer.
    struct Answer {
        let status: Int
        /// Names in small letters.
        let headers: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body, or one member of it.
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
    }

    // MSG_NOSIGNAL, bits/socket.h.
    private static let withoutSignal = Int32(0x4000)

    private let socket: Int32
    private var received: [UInt8] = []
    private(set) var hasEnded = false

    init(_ port: UInt16) throws {
        socket = try Loopback.connect(port)
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(socket)
    }

    /// Sends bytes as they are.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = send(socket, bytes, bytes.count, Self.withoutSignal)
    }

    /// Everything that has arrived.
    func drain() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else {
                if count == 0 || (errno != EAGAIN && errno != EINTR) { hasEnded = true }
                return received
            }
            received += buffer[..<count]
        }
    }

    /// The next whole answer; nil: not yet.
    func answer() -> Answer? {
        _ = drain()
        guard let (head, rest) = Self.split(received) else { return nil }
        let (status, headers) = Self.read(head)
        if headers["transfer-encoding"] == "chunked" {
            let (body, used) = Self.chunks(rest)
            guard let used else { return nil }
            received = Array(rest.dropFirst(used))
            return Answer(status: status, headers: headers, body: body)
        }
        let size = headers["content-length"].flatMap { Int($0) } ?? 0
        guard rest.count >= size else { return nil }
        received = Array(rest.dropFirst(size))
        return Answer(status: status, headers: headers, body: Array(rest.prefix(size)))
    }

    /// What has come of an answer that has no end.
    func stream() -> (status: Int, headers: [String: String], text: String)? {
        guard let (head, rest) = Self.split(drain()) else { return nil }
        let (status, headers) = Self.read(head)
        return (status, headers, String(decoding: Self.chunks(rest).body, as: UTF8.self))
    }

    private static func split(_ bytes: [UInt8]) -> (head: String, rest: [UInt8])? {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else { return nil }
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 4)...]))
    }

    private static func read(_ head: String) -> (Int, [String: String]) {
        let lines = head.split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
        }
        return (lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0, headers)
    }

    /// The chunks that are whole, and how many bytes all of them take; nil: the last has not come.
    private static func chunks(_ bytes: [UInt8]) -> (body: [UInt8], used: Int?) {
        var body: [UInt8] = []
        var place = 0
        while let end = bytes[place...].firstIndex(of: 10) {
            let size = Int(String(decoding: bytes[place..<end], as: UTF8.self).filter { !$0.isWhitespace }, radix: 16)
            guard let size, end + 1 + size + 2 <= bytes.count else { break }
            body += bytes[(end + 1)..<(end + 1 + size)]
            place = end + 1 + size + 2
            if size == 0 { return (body, place) }
        }
        return (body, nil)
    }
}
