internal import SondePluginKit
internal import SondeWire

/// The flows' peers, services and conversations by bytes, in bounded memory.
///
/// Brought up to date for whole flows, not for packets: the totals are those of what was ranked so far.
struct FlowRanking: ~Copyable {
    /// How many bytes a key of ``conversations`` has: two addresses, two ports, VLAN, protocol, kind.
    static let conversationKeyLength = 40
    /// How many bytes a key of ``services`` has: the protocol's number, the port's high and low byte.
    static let serviceKeyLength = 3

    /// By the address that is neither the host's nor a group's, 16 bytes; between other hosts, by the server's.
    private(set) var peers: SpaceSaving
    /// By protocol and port of the server.
    private(set) var services: SpaceSaving
    /// By flow key.
    private(set) var conversations: SpaceSaving

    private let hash: FlowHash

    /// A ranking that keeps `capacity` keys of each kind.
    init(capacity: Int, hash: FlowHash) {
        self.hash = hash
        peers = SpaceSaving(capacity: capacity, keyCapacity: 16)
        services = SpaceSaving(capacity: capacity, keyCapacity: Self.serviceKeyLength)
        conversations = SpaceSaving(capacity: capacity, keyCapacity: Self.conversationKeyLength)
    }

    /// Ranks a flow's growth since the last time.
    mutating func add(_ flow: UnsafeMutablePointer<FlowEntry>, _ host: HostAddresses) {
        let weight = flow.pointee.bytes &- flow.pointee.ranked
        guard weight > 0 else { return }
        flow.pointee.ranked = flow.pointee.bytes
        let key = flow.pointee.key
        withUnsafeBytes(of: key) { conversations.add($0, hash: hash.of(key), weight: weight) }
        let address = key.address(Self.peer(of: flow.pointee, host))
        withUnsafeBytes(of: (address.high.bigEndian, address.low.bigEndian)) { bytes in
            peers.add(bytes, hash: hash.of(address), weight: weight)
        }
        let port = key.port(flow.pointee.client.other)
        let service = (key.transport.rawValue, UInt8(port >> 8), UInt8(port & 0xff))
        withUnsafeBytes(of: service) { bytes in
            services.add(bytes, hash: hash.of(UInt64(key.transport.rawValue) << 16 | UInt64(port)), weight: weight)
        }
    }

    /// Removes what was ranked.
    mutating func reset() {
        peers.reset()
        services.reset()
        conversations.reset()
    }

    /// The end whose address is ranked.
    private static func peer(of flow: FlowEntry, _ host: HostAddresses) -> FlowEnd {
        switch (host.contains(flow.key.low), host.contains(flow.key.high)) {
        case (true, false): .high
        case (false, true): .low
        // What comes for a group comes from the one that sends it.
        case (false, false) where host.isGroup(flow.key.high): .low
        case (false, false) where host.isGroup(flow.key.low): .high
        default: flow.client.other
        }
    }
}
