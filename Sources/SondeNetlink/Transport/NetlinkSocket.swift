internal import CNetlink
internal import Glibc

/// A netlink socket in the network namespace that the calling thread is in when it is made; it stays there.
public final class NetlinkSocket: NetlinkTransport {
    /// What a socket talks about (linux/netlink.h).
    public enum Family: Int32, Sendable {
        /// NETLINK_ROUTE: links, addresses, routes, neighbours, queueing.
        case route = 0
        /// NETLINK_SOCK_DIAG: sockets.
        case socketDiagnostics = 4
        /// NETLINK_NETFILTER: connection tracking.
        case netfilter = 12
    }

    /// For poll(2).
    public let descriptor: Int32

    /// Opens a socket; `groups` is the mask of the multicast groups to join (RTMGRP_…).
    ///
    /// Throws ``NetlinkError``.
    public init(_ family: Family, groups: UInt32 = 0) throws(NetlinkError) {
        descriptor = sonde_netlink_socket(family.rawValue, groups)
        guard descriptor >= 0 else { throw NetlinkError(.open, errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends one request.
    public func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) {
        while Glibc.send(descriptor, request.baseAddress, request.count, 0) < 0 {
            guard errno == EINTR else { throw NetlinkError(.request, errno) }
        }
    }

    /// Waits for the next datagram.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = sonde_netlink_receive(descriptor, buffer.baseAddress, buffer.count)
            guard count <= buffer.count else { throw NetlinkError(.answer, EMSGSIZE) }
            if count > 0 { return count }
            let number = count == 0 ? EIO : errno
            guard number == EAGAIN || number == EINTR else { throw NetlinkError(.answer, number) }
            // The kernel answers before send(2) returns; a second is for a machine that stalls.
            guard number == EINTR || poll(&entry, 1, 1_000) > 0 else { throw NetlinkError(.answer, ETIMEDOUT) }
        }
    }

    /// Throws away what waits.
    public func discardWaiting() {
        _ = drain()
    }

    /// Takes what waits; true when there was something, or too much of it (ENOBUFS).
    ///
    /// Bounded: where more comes than is taken, the rest is news the next time.
    public func drain() -> Bool {
        var hasNews = false
        var byte: UInt8 = 0
        for _ in 0..<4_096 {
            // MSG_TRUNC: the rest of a datagram goes with its first byte.
            if sonde_netlink_receive(descriptor, &byte, 1) > 0 || errno == ENOBUFS {
                hasNews = true
            } else if errno != EINTR {
                return hasNews
            }
        }
        return hasNews
    }
}
