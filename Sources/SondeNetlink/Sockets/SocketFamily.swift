/// The address family of a socket; one of IPv6 may carry IPv4.
public enum SocketFamily: UInt8, CaseIterable, Sendable {
    // AF_INET and AF_INET6 (include/linux/socket.h).
    case ipv4 = 2
    case ipv6 = 10
}
