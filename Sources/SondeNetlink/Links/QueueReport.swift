/// One queueing discipline of a device with what it counted (`struct tcmsg`, linux/rtnetlink.h).
public struct QueueReport: Hashable, Sendable {
    // linux/rtnetlink.h and linux/gen_stats.h: TCA_…, TCA_STATS_…
    private static let kindAttribute: UInt16 = 1
    private static let statisticsAttribute: UInt16 = 7
    private static let basic: UInt16 = 1
    private static let queue: UInt16 = 3
    private static let packets64: UInt16 = 8
    // linux/pkt_sched.h: TC_H_ROOT, TC_H_INGRESS
    private static let root: UInt32 = 0xffff_ffff
    private static let ingress: UInt32 = 0xffff_fff1

    /// The device.
    public var index: Int32
    /// `fq_codel`, `mq`, `noqueue`.
    public var kind: String
    /// Whether it is the one that all of the device's packets pass, and no part of another.
    public var isRoot: Bool
    /// Bytes that passed; nil where the kernel does not report it.
    public var bytes: UInt64?
    /// Packets that passed.
    public var packets: UInt64?
    /// Whether ``packets`` is kept in 64 bits.
    public var hasWidePackets = false
    /// Packets that wait.
    public var length: UInt32?
    /// Bytes that wait.
    public var backlog: UInt32?
    /// Packets that were dropped.
    public var drops: UInt32?
    /// Packets that the driver did not take, and that were put back.
    public var requeues: UInt32?
    /// Packets that came beyond a limit.
    public var overlimits: UInt32?

    /// The queueing discipline in an RTM_NEWQDISC message; nil when it is too short or has no kind.
    public init?(_ message: NetlinkMessage) {
        guard
            let index = message.number(at: 4, Int32.self),
            let parent = message.number(at: 12, UInt32.self)
        else { return nil }
        self.index = index
        isRoot = parent == Self.root || parent == Self.ingress
        kind = ""
        for attribute in message.attributes(after: 20) {
            if attribute.type == Self.kindAttribute { kind = attribute.text }
            if attribute.type == Self.statisticsAttribute { take(attribute.nested) }
        }
        guard !kind.isEmpty else { return nil }
    }

    private mutating func take(_ statistics: NetlinkAttributes) {
        for part in statistics {
            switch part.type {
            case Self.basic:
                // struct gnet_stats_basic: bytes in 64 bits, packets in 32.
                bytes = part.number(UInt64.self)
                if !hasWidePackets { packets = Self.number(part, 8).map(UInt64.init) }
            case Self.packets64:
                packets = part.number(UInt64.self)
                hasWidePackets = true
            case Self.queue:
                // struct gnet_stats_queue.
                length = Self.number(part, 0)
                backlog = Self.number(part, 4)
                drops = Self.number(part, 8)
                requeues = Self.number(part, 12)
                overlimits = Self.number(part, 16)
            default: break
            }
        }
    }

    private static func number(_ attribute: NetlinkAttribute, _ offset: Int) -> UInt32? {
        guard attribute.value.count >= offset &+ 4 else { return nil }
        return attribute.value.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
}

extension LinkReader {
    /// Hands out the queueing discipline that each device has at its root, and at its ingress.
    ///
    /// Throws ``NetlinkError``.
    public func queues<Value>(
        from empty: Value,
        _ take: (inout Value, QueueReport) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        // linux/rtnetlink.h: RTM_GETQDISC, RTM_NEWQDISC; struct tcmsg.
        var request = NetlinkRequest(38, .dump, content: [UInt8](repeating: 0, count: 20))
        return try exchange.dump(&request, from: empty) { value, message in
            guard message.type == 36, let report = QueueReport(message), report.isRoot else { return }
            take(&value, report)
        }
    }
}
