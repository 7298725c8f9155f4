import CLinux
import Glibc

/// The other side of a control socket, byte by byte.
final class SocketClient {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private static let patience: Int32 = 20_000

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(_ path: String) throws {
        descriptor = try Self.makeSocket()
        guard Self.withAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(call: "connect", code: code)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends as much of the bytes as the peer takes without waiting; returns how many.
    @discardableResult
    func offer(_ bytes: [UInt8]) -> Int {
        send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }

    /// Sends all of the bytes, waiting as long as it takes.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// The next line without its end; nil when the other side has closed.
    func line() throws -> String? {
        while true {
            if let end = received.firstIndex(of: 0x0a) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Self.patience) > 0 else { throw Failure(call: "poll", code: ETIMEDOUT) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
            guard count > 0 else { throw Failure(call: "recv", code: errno) }
            received += buffer[..<count]
        }
    }

    /// Asks and waits for the answer.
    func ask(_ request: String) throws -> String? {
        try write("{\"request\":\"\(request)\"}\n")
        return try line()
    }

    /// Shuts down sending.
    func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    static func makeSocket() throws -> Int32 {
        let descriptor = sonde_unix_socket()
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        // Calls on this side wait.
        _ = fcntl(descriptor, F_SETFL, 0)
        return descriptor
    }

    static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
