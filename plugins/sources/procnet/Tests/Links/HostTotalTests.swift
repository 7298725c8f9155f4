import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct HostTotalTests {
    private static let received = "sonde.network.host.io{network.io.direction=receive}"

    private func uplinks(_ bench: LinkBench) -> [String] {
        bench.values.keys.filter { $0.hasPrefix("sonde.network.uplink{") }.sorted()
    }

    /// A host of every kind: what it has, the device of its default route, and what its uplinks are.
    struct Host: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let links: @Sendable () -> [FakeLink]
        var route: Int32?
        let uplinks: [String]
        let rule: String
    }

    private static let hosts = [
        Host(
            testDescription: "a bond of two cards below a VLAN and a bridge",
            links: {
                [
                    .loopback, .hardware(2, "eth0"), .hardware(3, "eth1"), .virtual(4, "bond0", "bond"),
                    .virtual(5, "bond0.7", "vlan", master: 6), .virtual(6, "br0", "bridge"),
                    .virtual(7, "veth1", "veth", master: 6),
                ]
            }, route: 6, uplinks: ["eth0", "eth1"], rule: "physical"
        ),
        Host(
            testDescription: "a virtual machine's bridge over a tap, without hardware",
            links: { [.loopback, .virtual(2, "tap0", "tun", master: 3), .virtual(3, "br0", "bridge")] }, route: 3,
            uplinks: ["tap0"], rule: "default_route"
        ),
        Host(
            testDescription: "a team below a macvlan",
            links: {
                var macvlan = FakeLink.virtual(5, "mac0", "macvlan")
                macvlan.link.lower = 4
                return [
                    .loopback, .virtual(2, "tap0", "tun", master: 4), .virtual(3, "tap1", "tun", master: 4),
                    .virtual(4, "team0", "team"), macvlan,
                ]
            }, route: 5, uplinks: ["tap0", "tap1"], rule: "default_route"
        ),
        Host(
            testDescription: "a container",
            links: {
                var door = FakeLink.virtual(2, "eth0", "veth")
                door.link.hasForeignPeer = true
                door.link.lower = 99
                return [.loopback, door]
            }, uplinks: ["eth0"], rule: "container"
        ),
        Host(testDescription: "nothing but the loopback", links: { [.loopback] }, uplinks: [], rule: "none"),
    ]

    @Test(arguments: hosts) func theTotalIsTheSumOfTheUplinksByName(_ host: Host) throws {
        var links = host.links()
        for index in links.indices { links[index].counters[2] = UInt64(links[index].link.index) * 1_000 }
        let bench = LinkBench(links)
        bench.kernel.defaultRoute = host.route
        try bench.collect()
        #expect(
            uplinks(bench)
                == host.uplinks.map {
                    "sonde.network.uplink{network.interface.name=\($0),sonde.uplink.rule=\(host.rule)}"
                }
        )
        let sum = links.filter { host.uplinks.contains($0.link.name) }.map { UInt64($0.link.index) * 1_000 }
        #expect(bench.values[Self.received] == (sum.isEmpty ? nil : .unsigned(sum.reduce(0, +))))
        #expect(bench.fake.log.filter { $0.contains("(rule: \(host.rule))") }.count == 1)
    }

    @Test func theTotalOnlyRisesWhenUplinksComeAndGo() throws {
        var first = FakeLink.hardware(2, "eth0")
        first.counters[2] = 1_000
        let bench = LinkBench([first])
        try bench.collect()
        #expect(bench.values[Self.received] == .unsigned(1_000))
        var second = FakeLink.hardware(3, "eth1")
        second.counters[2] = 1 << 50
        bench.kernel.links.append(second)
        bench.hasNews = true
        try bench.collect()
        #expect(bench.values[Self.received] == .unsigned(1_000), "what it counted elsewhere is no traffic of now")
        bench.change("eth1") { $0.counters[2] += 500 }
        try bench.collect()
        #expect(bench.values[Self.received] == .unsigned(1_500))
        bench.kernel.links.removeFirst()
        bench.hasNews = true
        try bench.collect()
        #expect(bench.values[Self.received] == .unsigned(1_500))
    }

    @Test func theConfigurationNamesTheUplinks() throws {
        let bench = LinkBench([.hardware(2, "eth0"), .virtual(3, "br0", "bridge")]) { $0.uplinks = ["br0"] }
        bench.change("br0") { $0.counters[2] = 77 }
        try bench.collect()
        #expect(bench.values[Self.received] == .unsigned(77))
        #expect(uplinks(bench) == ["sonde.network.uplink{network.interface.name=br0,sonde.uplink.rule=configured}"])
    }

    @Test func withoutHardwareTheRouteIsFollowedAsItChanges() throws {
        let bench = LinkBench([.loopback, .virtual(2, "wg0", "wireguard"), .virtual(3, "wg1", "wireguard")])
        bench.kernel.defaultRoute = 2
        try bench.collect()
        bench.kernel.defaultRoute = 3
        try bench.collect()
        #expect(uplinks(bench).map { $0.contains("wg1") } == [true])
    }

    @Test func virtualInterfacesBeyondTheLimitAreOneSeries() throws {
        let links = [FakeLink.loopback, .hardware(2, "eth0")] + (10..<60).map { .virtual($0, "veth\($0)", "veth") }
        let bench = LinkBench(links)
        for index in bench.kernel.links.indices { bench.kernel.links[index].counters[2] = 10 }
        try bench.collect()
        #expect(bench.value("system.network.io", "veth41", "receive") == .unsigned(10))
        #expect(bench.value("system.network.io", "veth42", "receive") == nil)
        #expect(bench.value("system.network.io", "virtual/other", "receive") == .unsigned(180))
        #expect(bench.values["sonde.network.interface.summed_up"] == .unsigned(18))
        #expect(bench.values["sonde.network.interface.current{sonde.link.kind=veth}"] == .unsigned(50))
        // A container ends: nothing falls, and the next one stays where it is.
        bench.change("veth59") { $0.counters[2] = 25 }
        bench.kernel.links.removeAll { $0.link.name == "veth50" }
        bench.hasNews = true
        try bench.collect()
        #expect(bench.value("system.network.io", "virtual/other", "receive") == .unsigned(195))
        #expect(bench.values["sonde.network.interface.summed_up"] == .unsigned(17))
    }

    @Test func whatWasSummedUpComesBackWhenThereIsRoomForAll() throws {
        let bench = LinkBench([.loopback] + (10..<110).map { .virtual($0, "veth\($0)", "veth") })
        try bench.collect()
        let opened = bench.fake.series.count
        // A hundred containers end one after the other, those that came first before the others.
        for index in 10..<70 {
            bench.kernel.links.removeAll { $0.link.name == "veth\(index)" }
            bench.hasNews = true
            try bench.collect()
        }
        #expect(bench.fake.series.count < opened + 10, "nobody takes the places that got free")
        // One that comes does.
        bench.kernel.links.append(.virtual(500, "veth500", "veth"))
        bench.hasNews = true
        try bench.collect()
        #expect(bench.value("system.network.io", "veth500", "receive") == .unsigned(0))
        #expect(bench.value("system.network.io", "veth109", "receive") == nil)
        bench.kernel.links.removeAll { (70..<80).contains($0.link.index) }
        bench.hasNews = true
        try bench.collect()
        #expect(bench.value("system.network.io", "veth109", "receive") == .unsigned(0))
        #expect(bench.values["sonde.network.interface.summed_up"] == .unsigned(0))
    }

    @Test func fiftyThousandInterfacesAreBoundedAndCounted() throws {
        let links = [FakeLink.hardware(1, "eth0")] + (2...50_000).map { .virtual($0, "veth\($0)", "veth") }
        let bench = LinkBench(links)
        try bench.collect()
        try bench.collect()
        #expect(bench.monitor.book.all.count == 4_096)
        #expect(bench.fake.series.count < 2_000)
        #expect(bench.monitor.problems[.interfaceLimit] == 2 * (50_000 - 4_096))
        #expect(bench.values["sonde.network.interface.current{sonde.link.kind=beyond_limit}"] == .unsigned(45_904))
        #expect(bench.values[Self.received] == .unsigned(0))
    }

    @Test func refusedSeriesAreCountedAndAskedForAgain() throws {
        let bench = LinkBench([.hardware(2, "eth0")])
        bench.fake.seriesBound = 5
        try bench.collect()
        #expect(bench.monitor.problems[.seriesLimit] > 0)
        bench.fake.seriesBound = 1_000
        bench.hasNews = true
        let refused = bench.monitor.problems[.seriesLimit]
        try bench.collect()
        #expect(bench.monitor.problems[.seriesLimit] == refused)
        #expect(bench.value("sonde.network.interface.mtu", "eth0") != nil)
    }
}
