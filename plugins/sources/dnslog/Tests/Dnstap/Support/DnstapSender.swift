import Glibc

/// A program that sends dnstap to a socket.
final class DnstapSender {
    private var descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, 1, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw LogFolder.failure
        }
    }

    deinit {
        hangUp()
    }

    func send(_ bytes: [UInt8]) {
        _ = write(descriptor, bytes, bytes.count)
    }

    /// What the listener has sent by now.
    func received() -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 1_024)
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return [] }
        let count = read(descriptor, &room, room.count)
        return Array(room.prefix(max(count, 0)))
    }

    func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
