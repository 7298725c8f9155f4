/// One network device as the kernel describes it: what is needed to find the devices that carry the host's traffic.
public struct NetworkLink: Hashable, Sendable {
    /// The kernel's number of the device; it is not used again while the device exists.
    public var index: Int32
    /// The name, which may change.
    public var name: String
    /// The kernel's name of a kind of virtual device, `bridge` or `veth` (`IFLA_INFO_KIND`); nil for hardware.
    public var kind: String?
    /// Whether it is the loopback device.
    public var isLoopback: Bool
    /// Whether it is switched on (`IFF_UP`); it may still have no carrier.
    public var isUp: Bool
    /// The bridge, bond or team that it is a member of (`IFLA_MASTER`).
    public var master: Int32?
    /// The device below it, or the other end of a veth pair, in this namespace (`IFLA_LINK`).
    public var lower: Int32?
    /// Whether that device is in another network namespace (`IFLA_LINK_NETNSID`).
    public var hasForeignPeer: Bool

    /// A device.
    public init(
        index: Int32,
        name: String,
        kind: String? = nil,
        isLoopback: Bool = false,
        isUp: Bool = true,
        master: Int32? = nil,
        lower: Int32? = nil,
        hasForeignPeer: Bool = false
    ) {
        self.index = index
        self.name = name
        self.kind = kind
        self.isLoopback = isLoopback
        self.isUp = isUp
        self.master = master
        self.lower = lower
        self.hasForeignPeer = hasForeignPeer
    }

    /// Whether a driver serves it, and no other device.
    public var isPhysical: Bool { kind == nil && !isLoopback }
}
