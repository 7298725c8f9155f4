public import SondeNetlink

/// One socket of a kernel of a test's own.
public struct FakeSocket: Hashable, Sendable {
    /// 6: TCP, 17: UDP.
    public var transport: UInt8 = 6
    /// The address family.
    public var family = SocketFamily.ipv4
    /// The state.
    public var state: SocketState
    /// The port that it is bound to.
    public var localPort: UInt16
    /// The port at the other end.
    public var remotePort: UInt16 = 0
    /// `idiag_rqueue`.
    public var receiveQueue: UInt32 = 0
    /// `idiag_wqueue`.
    public var sendQueue: UInt32 = 0
    /// Whether a socket belongs to the entry.
    public var isFull = true
    /// SK_MEMINFO_DROPS; nil: the kernel does not report it.
    public var drops: UInt32? = 0
    /// The number of its cgroup.
    public var cgroup: UInt64?
    /// Its `struct tcp_info`.
    public var information: [UInt8] = []

    /// A socket in a state.
    public init(_ state: SocketState, port: UInt16) {
        self.state = state
        localPort = port
    }

    /// A copy that was changed.
    public func with(_ change: (inout FakeSocket) -> Void) -> FakeSocket {
        var copy = self
        change(&copy)
        return copy
    }

    /// Appends it as the kernel reports it (`inet_sk_diag_fill`, net/ipv4/inet_diag.c).
    func append(to datagram: inout NetlinkBuilder, type: UInt16, flags: UInt16, sequence: UInt32, details: UInt8) {
        var fixed = [family.rawValue, state.rawValue, isFull ? 0 : 3, 0]
        fixed += NetlinkBuilder.bytes(localPort.bigEndian) + NetlinkBuilder.bytes(remotePort.bigEndian)
        fixed += [UInt8](repeating: 0, count: 48)
        fixed += NetlinkBuilder.bytes(receiveQueue) + NetlinkBuilder.bytes(sendQueue) + [UInt8](repeating: 0, count: 8)
        datagram.message(type, flags: flags, sequence: sequence, fixed: fixed) { attributes in
            guard isFull else { return }
            attributes.attribute(8, [0])
            if let cgroup { attributes.attribute(21, number: cgroup) }
            if details & 1 << 6 != 0, let drops {
                attributes.attribute(7, [UInt8](repeating: 0, count: 32) + NetlinkBuilder.bytes(drops))
            }
            if details & 1 << 1 != 0, !information.isEmpty { attributes.attribute(2, information) }
        }
    }
}
