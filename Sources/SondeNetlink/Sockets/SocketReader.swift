internal import Glibc

/// Walks over the sockets of one network namespace through sock_diag(7); from one thread.
///
/// Nothing is kept per socket: each is handed out and forgotten.
public final class SocketReader {
    /// What is asked about each socket beside its state, ports and queues.
    public struct Details: OptionSet, Sendable {
        /// INET_DIAG_… as `idiag_ext` has them.
        public let rawValue: UInt8

        /// Details by their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ``SocketReport/information``.
        public static let information = Details(rawValue: 1 << 1)
        /// ``SocketReport/drops``.
        public static let memory = Details(rawValue: 1 << 6)
    }

    // linux/inet_diag.h: TCPDIAG_GETSOCK; linux/sock_diag.h: SOCK_DIAG_BY_FAMILY, which all answers have.
    private static let oldRequest: UInt16 = 18
    private static let byFamily: UInt16 = 20
    private static let tcp: UInt8 = 6
    private static let udp: UInt8 = 17

    private let exchange: NetlinkExchange
    /// Whether the kernel takes the old request, which is about both families at once.
    private var takesOldRequest = true

    /// Reads through a transport.
    public init(_ transport: any NetlinkTransport) {
        exchange = NetlinkExchange(transport)
    }

    /// Reads in the network namespace that the calling thread is in now.
    ///
    /// Throws ``NetlinkError``.
    public convenience init() throws(NetlinkError) {
        self.init(try NetlinkSocket(.socketDiagnostics))
    }

    /// Hands every TCP socket in one of the states to `take`.
    ///
    /// The table of connections is walked once for both families: that costs half of asking for each
    /// (`inet_diag_dump_compat`, net/ipv4/inet_diag.c). Throws ``NetlinkError``; ENOENT without the module tcp_diag.
    public func walkTCP<Value>(
        _ states: SocketState.Mask,
        _ details: Details = [],
        from empty: Value,
        _ take: (inout Value, SocketReport) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        guard takesOldRequest else { return try walk(Self.tcp, states, details, from: empty, take) }
        do throws(NetlinkError) {
            var request = Self.oldRequest(states, details)
            return try dump(&request, from: empty, take)
        } catch {
            guard error.step == .answer, error.isRefusal || error.isAbsence else { throw error }
            takesOldRequest = false
            return try walk(Self.tcp, states, details, from: empty, take)
        }
    }

    /// Hands every UDP socket to `take`.
    ///
    /// Throws ``NetlinkError``; ENOENT without the module udp_diag.
    public func walkUDP<Value>(
        _ details: Details = [],
        from empty: Value,
        _ take: (inout Value, SocketReport) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        try walk(Self.udp, .all, details, from: empty, take)
    }

    /// One family after the other; without IPv6 there is nothing to report for it.
    private func walk<Value>(
        _ transport: UInt8,
        _ states: SocketState.Mask,
        _ details: Details,
        from empty: Value,
        _ take: (inout Value, SocketReport) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        var first = Self.request(transport, .ipv4, states, details)
        let ipv4 = try dump(&first, from: empty, take)
        var second = Self.request(transport, .ipv6, states, details)
        do throws(NetlinkError) {
            let both = try dump(&second, from: ipv4.value, take)
            return NetlinkExchange.Dump(value: both.value, isWhole: ipv4.isWhole && both.isWhole)
        } catch {
            guard error.step == .answer, error.isAbsence else { throw error }
            return ipv4
        }
    }

    private func dump<Value>(
        _ request: inout NetlinkRequest,
        from empty: Value,
        _ take: (inout Value, SocketReport) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        try exchange.dump(&request, from: empty) { value, message in
            guard message.type == Self.byFamily || message.type == Self.oldRequest else { return }
            guard let report = SocketReport(message) else { return }
            take(&value, report)
        }
    }

    /// `struct inet_diag_req`: four bytes, a socket's identity, which stays empty, the states and a number unused.
    private static func oldRequest(_ states: SocketState.Mask, _ details: Details) -> NetlinkRequest {
        let identity = [UInt8](repeating: 0, count: 48)
        let content = [0, 0, 0, details.rawValue] + identity + NetlinkRequest.bytes(states.rawValue) + [0, 0, 0, 0]
        return NetlinkRequest(oldRequest, .dump, content: content)
    }

    /// `struct inet_diag_req_v2`: family, protocol, details, the states and an empty identity.
    private static func request(
        _ transport: UInt8,
        _ family: SocketFamily,
        _ states: SocketState.Mask,
        _ details: Details
    ) -> NetlinkRequest {
        let head = [family.rawValue, transport, details.rawValue, 0]
        let content = head + NetlinkRequest.bytes(states.rawValue) + [UInt8](repeating: 0, count: 48)
        return NetlinkRequest(byFamily, .dump, content: content)
    }
}
