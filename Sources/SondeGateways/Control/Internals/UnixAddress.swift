internal import CLinux
internal import Glibc
internal import SondeDomain

/// The address of a Unix socket, unix(7).
struct UnixAddress {
    private var raw = sockaddr_un()
    private var length = socklen_t(MemoryLayout<sockaddr_un>.size)

    /// The address of a path; nil when it is empty, longer than the system allows, or holds a zero byte.
    init?(path: String) {
        raw.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The kernel would take one byte more without its zero; other programs would not.
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: raw.sun_path) else {
            return nil
        }
        withUnsafeMutableBytes(of: &raw.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// The address of an abstract name; nil when it is empty or longer than the system allows.
    init?(abstract name: String) {
        raw.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: raw.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &raw.sun_path) { $0[1...].copyBytes(from: bytes) }
        // The name's length is that of the address: no zero ends it.
        length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + bytes.count)
    }

    /// Lends the address to a system call.
    func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: raw) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, length)
            }
        }
    }

    /// A new stream socket, closed on exec.
    static func makeSocket() throws(SondeError) -> OwnedDescriptor {
        try OwnedDescriptor(sonde_unix_socket(), of: "socket")
    }
}
