public import SondeDomain

/// One network device with everything that the kernel reports about it but its counts.
public struct LinkDescription: Hashable, Sendable {
    /// RFC 2863, section 3.1.14, as the kernel numbers it (IF_OPER_…, linux/if.h).
    public enum OperationalState: UInt8, Sendable {
        case unknown
        case notPresent
        case down
        case lowerLayerDown
        case testing
        case dormant
        case up

        /// The kernel's word (Documentation/ABI/testing/sysfs-class-net).
        public var word: String {
            switch self {
            case .unknown: "unknown"
            case .notPresent: "notpresent"
            case .down: "down"
            case .lowerLayerDown: "lowerlayerdown"
            case .testing: "testing"
            case .dormant: "dormant"
            case .up: "up"
            }
        }
    }

    /// What decides which devices carry the host's traffic.
    public var link: NetworkLink
    /// IFF_….
    public var flags: UInt32 = 0
    /// ARPHRD_….
    public var hardwareType: UInt16 = 0
    /// The hardware address, `02:00:00:00:00:01`; empty when it has none.
    public var address = ""
    /// The broadcast address.
    public var broadcast = ""
    /// The alias that an administrator gave it; empty without one.
    public var alias = ""
    /// The state in the words of RFC 2863.
    public var operationalState: OperationalState?
    /// Whether there is a carrier.
    public var hasCarrier: Bool?
    /// How often the carrier came or went.
    public var carrierChanges: UInt32?
    /// How often the carrier came.
    public var carrierUps: UInt32?
    /// How often the carrier went.
    public var carrierDowns: UInt32?
    /// In bytes.
    public var mtu: UInt32?
    /// In packets.
    public var transmitQueueLength: UInt32?
    /// The device group, ip-link(8).
    public var group: UInt32?
    /// This namespace's number of the one that the lower device or peer is in; -1: it has none.
    public var peerNamespace: Int32?

    /// A device with only these fields.
    public init(_ link: NetworkLink) {
        self.link = link
    }

    /// Whether frames can be sent: switched on, with a carrier (IFF_UP, IFF_RUNNING).
    public var isRunning: Bool { flags & 0x41 == 0x41 }
}
