import SondeDomain
import Testing

/// Which devices count, for hosts of every kind.
@Suite struct UplinkChoiceTests {
    private let loopback = NetworkLink(index: 1, name: "lo", isLoopback: true)
    private let hardware = NetworkLink(index: 2, name: "eth0")

    private func names(_ choice: UplinkChoice) -> [String] { choice.links.map(\.name) }

    @Test func hardwareCountsAndWhatLiesOnItDoesNot() {
        let links = [
            loopback, hardware, NetworkLink(index: 3, name: "eth1", master: 4),
            NetworkLink(index: 4, name: "bond0", kind: "bond"),
            NetworkLink(index: 5, name: "bond0.7", kind: "vlan", lower: 4),
            NetworkLink(index: 6, name: "br0", kind: "bridge"),
            NetworkLink(index: 7, name: "veth1", kind: "veth", master: 6, hasForeignPeer: true),
        ]
        let choice = UplinkChoice(among: links, defaultRoutes: [5])
        #expect(choice.rule == .physical)
        #expect(names(choice) == ["eth0", "eth1"])
    }

    @Test func theConfigurationOverridesEverything() {
        let links = [loopback, hardware, NetworkLink(index: 3, name: "br0", kind: "bridge")]
        let choice = UplinkChoice(among: links, configured: ["br0", "absent"])
        #expect(choice.rule == .configured)
        #expect(names(choice) == ["br0"])
    }

    @Test func aConfiguredNameThatIsNotThereIsNotReplacedByAnother() {
        #expect(names(UplinkChoice(among: [loopback, hardware], configured: ["absent"])) == [])
    }

    @Test func withoutHardwareTheDefaultRouteIsFollowedToTheBottom() {
        let links = [
            loopback,
            NetworkLink(index: 2, name: "tap0", kind: "tun", master: 4),
            NetworkLink(index: 3, name: "tap1", kind: "tun", master: 4),
            NetworkLink(index: 4, name: "team0", kind: "team"),
            NetworkLink(index: 5, name: "team0.9", kind: "vlan", lower: 4),
            NetworkLink(index: 6, name: "wg0", kind: "wireguard"),
        ]
        let choice = UplinkChoice(among: links, defaultRoutes: [5, 5])
        #expect(choice.rule == .defaultRoute)
        #expect(names(choice) == ["tap0", "tap1"])
    }

    @Test func theOtherEndOfAVethIsNotWhatItLiesOn() {
        let links = [
            loopback, NetworkLink(index: 2, name: "a", kind: "veth", lower: 3),
            NetworkLink(index: 3, name: "b", kind: "veth", lower: 2),
        ]
        #expect(names(UplinkChoice(among: links, defaultRoutes: [2])) == ["a"])
    }

    @Test func aDeviceWhoseLowerOneIsInAnotherNamespaceIsTheLowestHere() {
        let links = [
            loopback, NetworkLink(index: 2, name: "eth0", kind: "macvlan", lower: 2, hasForeignPeer: true),
        ]
        #expect(names(UplinkChoice(among: links, defaultRoutes: [2])) == ["eth0"])
    }

    @Test func aContainerWithoutARouteHasItsDoor() {
        let links = [
            loopback, NetworkLink(index: 2, name: "eth0", kind: "veth", lower: 9, hasForeignPeer: true),
            NetworkLink(index: 3, name: "inner", kind: "veth", lower: 4),
            NetworkLink(index: 4, name: "outer", kind: "veth", lower: 3),
        ]
        let choice = UplinkChoice(among: links)
        #expect(choice.rule == .container)
        #expect(names(choice) == ["eth0"])
    }

    @Test func whereNothingLeadsOutThereIsNoUplink() {
        let choice = UplinkChoice(among: [loopback], defaultRoutes: [1, 77])
        #expect(choice.rule == .none)
        #expect(names(choice) == [])
    }

    @Test func aRingOfLinksEnds() {
        let links = [
            NetworkLink(index: 2, name: "a", kind: "vlan", lower: 3),
            NetworkLink(index: 3, name: "b", kind: "vlan", lower: 2),
        ]
        #expect(names(UplinkChoice(among: links, defaultRoutes: [2])) == [])
    }
}
