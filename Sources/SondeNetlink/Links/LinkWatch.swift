/// Becomes readable when a link comes, goes or changes, in the network namespace that it was made in.
public final class LinkWatch {
    /// The multicast groups to join (RTMGRP_…, linux/rtnetlink.h).
    public struct Groups: OptionSet, Sendable {
        /// The mask.
        public let rawValue: UInt32

        /// A mask.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// RTMGRP_LINK.
        public static let links = Groups(rawValue: 0x1)
        /// RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR.
        public static let addresses = Groups(rawValue: 0x10 | 0x100)
        /// RTMGRP_IPV4_ROUTE and RTMGRP_IPV6_ROUTE.
        public static let routes = Groups(rawValue: 0x40 | 0x400)
    }

    private let socket: NetlinkSocket

    /// For poll(2).
    public var descriptor: Int32 { socket.descriptor }

    /// Throws ``NetlinkError``.
    public init(_ groups: Groups) throws(NetlinkError) {
        socket = try NetlinkSocket(.route, groups: groups.rawValue)
    }

    /// Takes everything that waits; true when there was something, or more than fitted (ENOBUFS).
    public func drain() -> Bool { socket.drain() }
}
