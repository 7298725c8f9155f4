public import SondeDomain

/// A network device of a ``FakeKernel``.
public struct FakeLink {
    /// What it is.
    public var link: NetworkLink
    /// The fields of `struct rtnl_link_stats64` in the kernel's order.
    public var counters: [UInt64]
    /// How often its carrier came or went.
    public var carrierChanges: UInt32
    /// What an administrator called it.
    public var alias = ""

    /// What its virtual functions have counted, by IFLA_VF_STATS_….
    public var functions: [[UInt16: UInt64]] = []

    /// A device whose counts are all zero.
    public init(_ link: NetworkLink, counters: [UInt64] = [], carrierChanges: UInt32 = 1) {
        self.link = link
        self.counters = counters + [UInt64](repeating: 0, count: max(0, 25 - counters.count))
        self.carrierChanges = carrierChanges
    }

    /// Bytes and packets received and sent.
    public mutating func count(receivedBytes: UInt64 = 0, sentBytes: UInt64 = 0) {
        counters[2] &+= receivedBytes
        counters[3] &+= sentBytes
        counters[0] &+= receivedBytes / 100
        counters[1] &+= sentBytes / 100
    }

    func appendLink(to datagram: inout NetlinkBuilder, flags: UInt16, sequence: UInt32) {
        let hardware: UInt16 = link.isLoopback ? 772 : 1
        let state: UInt32 = link.isUp ? 0x11043 : 0x1002
        let fixed =
            [0, 0] + NetlinkBuilder.bytes(hardware) + NetlinkBuilder.bytes(link.index) + NetlinkBuilder.bytes(state)
            + [0, 0, 0, 0]
        datagram.message(16, flags: flags, sequence: sequence, fixed: fixed) { inner in
            inner.attribute(3, text: link.name)
            inner.attribute(4, number: UInt32(1_500))
            inner.attribute(13, number: UInt32(1_000))
            inner.attribute(16, [link.isUp ? 6 : 2])
            inner.attribute(1, [2, 0, 0, 0, 0, UInt8(truncatingIfNeeded: link.index)])
            inner.attribute(2, [255, 255, 255, 255, 255, 255])
            inner.attribute(33, [link.isUp ? 1 : 0])
            inner.attribute(35, number: carrierChanges)
            inner.attribute(47, number: carrierChanges / 2 + carrierChanges % 2)
            inner.attribute(48, number: carrierChanges / 2)
            if !alias.isEmpty { inner.attribute(20, text: alias) }
            if let kind = link.kind {
                inner.attribute(18 | 0x8000, Self.information(kind))
            }
            if let lower = link.lower { inner.attribute(5, number: lower) }
            if let master = link.master { inner.attribute(10, number: master) }
            if link.hasForeignPeer { inner.attribute(37, number: Int32(0)) }
        }
    }

    func appendCounters(to datagram: inout NetlinkBuilder, flags: UInt16, sequence: UInt32) {
        let fixed = [0, 0, 0, 0] + NetlinkBuilder.bytes(link.index) + NetlinkBuilder.bytes(UInt32(1))
        datagram.message(92, flags: flags, sequence: sequence, fixed: fixed) { inner in
            inner.attribute(1, counters.flatMap { NetlinkBuilder.bytes($0) })
        }
    }

    /// The answer to a question for its virtual functions (`rtnl_fill_vfinfo`, net/core/rtnetlink.c).
    func appendFunctions(to datagram: inout NetlinkBuilder, sequence: UInt32) {
        let fixed = [0, 0, 1, 0] + NetlinkBuilder.bytes(link.index) + [UInt8](repeating: 0, count: 8)
        datagram.message(16, flags: 0, sequence: sequence, fixed: fixed) { inner in
            inner.attribute(3, text: link.name)
            inner.attribute(21, number: UInt32(functions.count))
            guard !functions.isEmpty else { return }
            var list = NetlinkBuilder()
            for number in functions.indices { list.attribute(1 | 0x8000, function(number)) }
            inner.attribute(22 | 0x8000, list.bytes)
        }
    }

    private func function(_ number: Int) -> [UInt8] {
        var parts = NetlinkBuilder()
        let index = NetlinkBuilder.bytes(UInt32(truncatingIfNeeded: number))
        parts.attribute(1, index + [UInt8](repeating: 0, count: 32))
        parts.attribute(2, index + [UInt8](repeating: 0, count: 8))
        var counts = NetlinkBuilder()
        for (field, count) in functions[number].sorted(by: { $0.key < $1.key }) {
            counts.attribute(field, number: count)
        }
        parts.attribute(8 | 0x8000, counts.bytes)
        return parts.bytes
    }

    private static func information(_ kind: String) -> [UInt8] {
        var inner = NetlinkBuilder()
        inner.attribute(1, text: kind)
        return inner.bytes
    }
}
