/// The devices that carry the host's traffic, so that nothing is counted twice.
///
/// A bridge, bond, team, VLAN or macvlan is never added to what carries it.
public struct UplinkChoice: Hashable, Sendable {
    /// Why these devices were chosen.
    public enum Rule: String, Hashable, Sendable {
        /// They are named in the configuration.
        case configured
        /// They are hardware.
        case physical
        /// The default routes lead through them.
        case defaultRoute
        /// They lead out of a container.
        case container
        /// There is no such device.
        case none
    }

    /// Why.
    public let rule: Rule
    /// Which, by index.
    public let links: [NetworkLink]

    /// Chooses among `links`: the `configured` names, else hardware, else the devices of the default routes resolved to
    /// their lowest members, else every veth without a master whose other end is in another namespace.
    public init(among links: [NetworkLink], configured: [String] = [], defaultRoutes: [Int32] = []) {
        let sorted = links.sorted { $0.index < $1.index }
        if !configured.isEmpty {
            self.init(.configured, sorted.filter { configured.contains($0.name) })
            return
        }
        let physical = sorted.filter(\.isPhysical)
        if !physical.isEmpty {
            self.init(.physical, physical)
            return
        }
        var lowest: Set<Int32> = []
        for index in defaultRoutes { lowest.formUnion(Self.lowestMembers(of: index, among: sorted)) }
        let routed = sorted.filter { lowest.contains($0.index) && !$0.isLoopback }
        if !routed.isEmpty {
            self.init(.defaultRoute, routed)
            return
        }
        let veths = sorted.filter { $0.kind == "veth" && $0.master == nil && $0.hasForeignPeer }
        self.init(veths.isEmpty ? .none : .container, veths)
    }

    private init(_ rule: Rule, _ links: [NetworkLink]) {
        self.rule = rule
        self.links = links
    }

    /// Devices that pass on the frames of their lower device; the lower device of any other kind is something else, the
    /// other end of a veth for instance.
    private static let stacked: Set<String> = ["vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec"]
    private static let gathering: Set<String> = ["bridge", "bond", "team"]

    /// The devices at the bottom of what `index` is made of.
    private static func lowestMembers(of index: Int32, among links: [NetworkLink]) -> Set<Int32> {
        var lowest: Set<Int32> = []
        var seen: Set<Int32> = []
        var waiting = [index]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted, let link = links.first(where: { $0.index == next }) else { continue }
            let below = Self.below(link, among: links)
            if below.isEmpty { lowest.insert(next) } else { waiting += below }
        }
        return lowest
    }

    private static func below(_ link: NetworkLink, among links: [NetworkLink]) -> [Int32] {
        guard let kind = link.kind else { return [] }
        if stacked.contains(kind), !link.hasForeignPeer, let lower = link.lower { return [lower] }
        guard gathering.contains(kind) else { return [] }
        return links.filter { $0.master == link.index }.map(\.index)
    }
}
