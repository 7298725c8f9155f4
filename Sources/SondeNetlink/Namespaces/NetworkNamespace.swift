internal import CNetlink
internal import Glibc

/// A network namespace other than the agent's own.
///
/// A namespace belongs to a thread: only the calling thread enters it, and comes back.
public final class NetworkNamespace {
    private let descriptor: Int32

    /// The namespace that a file refers to, `/proc/1/ns/net` or `/run/netns/blue`.
    ///
    /// Throws the `errno` of open(2).
    public init(path: String) throws(NetlinkError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw NetlinkError(.open, errno) }
    }

    deinit {
        close(descriptor)
    }

    /// The kernel's number of the namespace, or nil when there is no such file or it may not be looked at.
    public static func identity(path: String) -> UInt64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return UInt64(status.st_ino)
    }

    /// Where the calling thread's own namespace is.
    public static let ownPath = "/proc/thread-self/ns/net"

    /// Runs `body` inside and comes back.
    ///
    /// Throws what `refusal` makes of EPERM, which is the answer without CAP_SYS_ADMIN, and what `body` throws.
    public func inside<Value, Failure: Error>(
        orThrow refusal: (NetlinkError) -> Failure,
        do body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let home = open(Self.ownPath, O_RDONLY | O_CLOEXEC)
        guard home >= 0 else { throw refusal(NetlinkError(.open, errno)) }
        defer { close(home) }
        guard sonde_enter_network_namespace(descriptor) == 0 else { throw refusal(NetlinkError(.open, errno)) }
        defer {
            // Entered once, the own namespace can be entered again: the right to it cannot go in between.
            _ = sonde_enter_network_namespace(home)
        }
        return try body()
    }
}
