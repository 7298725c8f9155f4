internal import SondeDomain

/// Reads links, their counts and where the default routes lead, through one route socket; from one thread.
public final class LinkReader {
    // linux/rtnetlink.h
    private static let getLink: UInt16 = 18
    private static let newLink: UInt16 = 16
    private static let getAddress: UInt16 = 22
    private static let newAddress: UInt16 = 20
    private static let getRoute: UInt16 = 26
    private static let newRoute: UInt16 = 24
    private static let getStatistics: UInt16 = 94
    private static let newStatistics: UInt16 = 92
    // linux/if_link.h: IFLA_STATS_LINK_64, IFLA_STATS_FILTER_BIT of it, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS
    private static let countersAttribute: UInt16 = 1
    private static let countersFilter: UInt32 = 1
    // Where struct rtnl_link_stats64 has rx_bytes and tx_bytes, linux/if_link.h.
    private static let receivedBytes = 16
    private static let sentBytes = 24
    private static let extensionMask: UInt16 = 29
    private static let withoutCounters: UInt32 = 8

    private static let hardwareReserve = 1_024

    let exchange: NetlinkExchange
    private var allCounters = LinkReader.counterRequest(of: 0, .dump)

    /// Reads through a transport.
    public init(_ transport: any NetlinkTransport) {
        exchange = NetlinkExchange(transport)
    }

    /// Reads in the network namespace that the calling thread is in now.
    ///
    /// Throws ``NetlinkError``.
    public convenience init() throws(NetlinkError) {
        self.init(try NetlinkSocket(.route))
    }

    /// Every link, at most `limit` of them, without its counts; `overflow` is how many there are beyond.
    ///
    /// Hardware, which carries the host's traffic, is kept beyond the limit, up to 1,024 more.
    ///
    /// Throws ``NetlinkError``.
    public func links(
        limit: Int
    ) throws(NetlinkError) -> NetlinkExchange.Dump<(links: [LinkDescription], overflow: Int)> {
        var request = NetlinkRequest(Self.getLink, .dump, content: [UInt8](repeating: 0, count: 16))
        request.append(Self.extensionMask, Self.withoutCounters)
        return try exchange.dump(&request, from: (links: [], overflow: 0)) { found, message in
            guard message.type == Self.newLink, let link = LinkDescription(message) else { return }
            let room = link.link.isPhysical ? limit &+ Self.hardwareReserve : limit
            if found.links.count < room { found.links.append(link) } else { found.overflow &+= 1 }
        }
    }

    /// The content of every RTM_NEWADDR message, made into something; nil is left out.
    ///
    /// Throws ``NetlinkError``.
    public func addresses<Address>(
        limit: Int,
        _ make: (NetlinkMessage) -> Address?
    ) throws(NetlinkError) -> NetlinkExchange.Dump<[Address]> {
        var request = NetlinkRequest(Self.getAddress, .dump, content: [UInt8](repeating: 0, count: 8))
        return try exchange.dump(&request, from: []) { found, message in
            guard message.type == Self.newAddress, found.count < limit, let address = make(message) else { return }
            found.append(address)
        }
    }

    /// Hands the counts of every link to `take`; an interrupted dump may lack some or bring them twice.
    ///
    /// Throws ``NetlinkError``; EOPNOTSUPP before Linux 4.7.
    public func counters<Value>(
        from empty: Value,
        _ take: (inout Value, Int32, LinkCounters) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        try exchange.dump(&allCounters, from: empty) { value, message in
            guard let (index, counters) = Self.counters(message) else { return }
            take(&value, index, counters)
        }
    }

    /// The counts of one link; prepare the request once with ``counterRequest(of:)``.
    ///
    /// Throws ``NetlinkError``; ENODEV when it is gone.
    public func counters(_ request: inout NetlinkRequest) throws(NetlinkError) -> LinkCounters? {
        try exchange.ask(&request) { Self.counters($0)?.counters }
    }

    /// What one link has received and sent; prepare the request once with ``counterRequest(of:)``.
    ///
    /// Throws ``NetlinkError``; ENODEV when it is gone.
    public func bytes(_ request: inout NetlinkRequest) throws(NetlinkError) -> (received: UInt64, sent: UInt64)? {
        try exchange.ask(&request) { message in
            guard let counters = Self.statistics(message), counters.count >= Self.sentBytes &+ 8 else { return nil }
            let received = counters.loadUnaligned(fromByteOffset: Self.receivedBytes, as: UInt64.self)
            let sent = counters.loadUnaligned(fromByteOffset: Self.sentBytes, as: UInt64.self)
            return (received, sent)
        }
    }

    /// Asks for the counts of one link.
    public static func counterRequest(of index: Int32) -> NetlinkRequest { counterRequest(of: index, .one) }

    /// The devices that packets to the outside leave through, for IPv4 and IPv6.
    ///
    /// Asked for one address each, of the ranges for documentation, which nothing but a default route leads to: the
    /// answer costs the same on a router with a million routes. Throws ``NetlinkError``, but no route is no error.
    public func defaultRoutes() throws(NetlinkError) -> [Int32] {
        let outside: [[UInt8]] = [
            [192, 0, 2, 1], [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ]
        var devices: [Int32] = []
        for address in outside {
            if let device = try device(towards: address) { devices.append(device) }
        }
        return devices
    }

    private func device(towards address: [UInt8]) throws(NetlinkError) -> Int32? {
        // linux/rtnetlink.h: struct rtmsg, then RTA_DST; the answer has RTA_OIF. AF_INET is 2, AF_INET6 10.
        var message = [UInt8](repeating: 0, count: 12)
        message[0] = address.count == 4 ? 2 : 10
        message[1] = UInt8(truncatingIfNeeded: address.count &* 8)
        var request = NetlinkRequest(Self.getRoute, .one, content: message)
        request.append(1, address)
        do throws(NetlinkError) {
            return try exchange.ask(&request) { answer in
                guard answer.type == Self.newRoute else { return nil }
                return answer.attributes(after: 12).first { $0.type == 4 }?.number(Int32.self)
            }
        } catch {
            // The kernel answers that there is no route (ENETUNREACH), or no such family, with an error message.
            guard error.step == .answer else { throw error }
            return nil
        }
    }

    private static func counterRequest(of index: Int32, _ mode: NetlinkRequest.Mode) -> NetlinkRequest {
        // struct if_stats_msg: family and padding, index, mask.
        let content = [0, 0, 0, 0] + NetlinkRequest.bytes(index) + NetlinkRequest.bytes(countersFilter)
        return NetlinkRequest(getStatistics, mode, content: content)
    }

    private static func counters(_ message: NetlinkMessage) -> (index: Int32, counters: LinkCounters)? {
        guard let index = message.number(at: 4, Int32.self), let counters = statistics(message) else { return nil }
        return (index, LinkCounters(counters))
    }

    /// The `struct rtnl_link_stats64` in an answer; nil where there is none.
    private static func statistics(_ message: NetlinkMessage) -> UnsafeRawBufferPointer? {
        guard message.type == newStatistics else { return nil }
        for attribute in message.attributes(after: 12) where attribute.type == countersAttribute {
            return attribute.value
        }
        return nil
    }
}
