import Foundation
import Glibc

/// A directory for sockets, short enough for their paths, gone with this object.
final class SocketFolder {
    let path: String

    init() {
        path = "/tmp/sonde-\(UUID().uuidString.prefix(13))"
        mkdir(path, 0o700)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var socket: String { "\(path)/s.sock" }

    /// The type and permission bits of a file; nil when there is none.
    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    /// Leaves a socket behind as an agent does that is killed.
    func leaveDeadSocket() throws {
        let client = try SocketClient.makeSocket()
        defer { close(client) }
        guard SocketClient.withAddress(socket, { bind(client, $0, $1) }) == 0 else {
            throw SocketClient.Failure(call: "bind", code: errno)
        }
    }
}
