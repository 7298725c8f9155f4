import Glibc

/// The socket of a service manager, sd_notify(3).
final class NotifyInbox {
    let path: String
    private let descriptor: Int32
    private var received: [String] = []

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw ProcessGroup.Failure(program: path, code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Every message so far, oldest first.
    var messages: [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return received }
            received.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
