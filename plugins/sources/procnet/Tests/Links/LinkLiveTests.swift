import Foundation
import SondeDomain
import SondeNetlink
import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// The running kernel, in network namespaces of the tests' own: what is reported is what ip(8) prints, to the byte.
@Suite(.enabled(if: Tool.ip.isInstalled && OwnNamespace.isPermitted, "needs root and iproute2"))
struct LinkLiveTests {
    private static let io = "system.network.io"

    private static func key(_ metric: String, _ interface: String, _ direction: String) -> String {
        "\(metric){network.interface.name=\(interface),network.io.direction=\(direction)}"
    }

    /// A namespace with a device of every kind that this kernel can make; the kinds that it cannot are left out.
    private static func makeDevices() throws -> Set<String> {
        try Tool.quiet()
        try Tool("ip", ["link", "set", "lo", "up"]).run()
        var made: Set<String> = ["lo"]
        let recipes: [(name: String, words: String)] = [
            ("va", "link add va type veth peer name vb"), ("br0", "link add br0 type bridge"),
            ("mac0", "link add mac0 link va type macvlan"),
            ("vx0", "link add vx0 type vxlan id 7 dstport 4789 dev va"), ("tap0", "tuntap add tap0 mode tap"),
            ("vlan7", "link add link va name vlan7 type vlan id 7"), ("bond0", "link add bond0 type bond"),
            ("dum0", "link add dum0 type dummy"), ("ifb9", "link add ifb9 type ifb"),
        ]
        for recipe in recipes {
            guard (try? Tool("ip", recipe.words.split(separator: " ").map(String.init)).run()) != nil else { continue }
            made.insert(recipe.name)
            if recipe.name == "va" { made.insert("vb") }
        }
        for name in ["va", "vb", "br0"] { try Tool("ip", ["link", "set", name, "up"]).run() }
        return made
    }

    private static func started(_ proc: String, _ options: [String: FakeHost.Option] = [:]) throws -> PluginHarness {
        let all = options.merging(["proc": .string(proc), "tables": .list(["dev"])]) { given, _ in given }
        let harness = try PluginHarness(sonde_plugin_procnet(), options: all)
        try harness.start()
        return harness
    }

    @Test func everyKindIsReportedAsIpSaysIt() throws {
        let (values, links, kinds, log) = try OwnNamespace.run { proc in
            let made = try Self.makeDevices()
            try #require(made.isSuperset(of: ["lo", "va", "vb", "br0", "mac0", "vx0", "tap0"]))
            try FrameSocket("vb").send(250, length: 1_000)
            let harness = try Self.started(proc)
            // A bridge may send frames itself: a moment in which it did not is looked for.
            var links: [DetailedLink] = []
            for _ in 0..<50 {
                let before = try DetailedLink.all()
                try harness.collect()
                links = try DetailedLink.all()
                if links.map(\.text) == before.map(\.text) { break }
            }
            let infos = harness.host.series.map(\.specification).filter { $0.name == "sonde.network.interface.info" }
            let kinds = infos.map { info in
                Dictionary(uniqueKeysWithValues: info.attributes.map { ($0.name, $0.value) })
            }
            return (harness.host.lastCommit, links, kinds, harness.host.log)
        }
        #expect(log.filter { $0.hasPrefix("warning") || $0.hasPrefix("error") } == [])
        #expect(links.count >= 7)
        for link in links {
            let info = try #require(kinds.first { $0["network.interface.name"] == link.name }, "\(link.name)")
            #expect(info["sonde.link.type"] == link.kind, "\(link.name)")
            #expect(info["sonde.link.operstate"] == link.operstate.lowercased(), "\(link.name)")
            #expect(info["sonde.link.address"] == link.address, "\(link.name)")
            for (direction, counts) in [("receive", link.received), ("transmit", link.sent)] {
                for (metric, value) in counts {
                    guard let value else { continue }
                    #expect(
                        values[Self.key(metric, link.name, direction)] == .unsigned(value),
                        "\(metric) of \(link.name), \(direction)"
                    )
                }
            }
            #expect(values["sonde.network.interface.mtu{network.interface.name=\(link.name)}"] == .unsigned(link.mtu))
        }
        #expect(values[Self.key(Self.io, "va", "receive")] == .unsigned(250_000))
    }

    @Test func theHostsTotalIsTheUplinksOwnCountToTheByte() throws {
        let values = try OwnNamespace.run { proc in
            try Tool.quiet()
            for words in [
                "link add va type veth peer name vb", "link add br0 type bridge", "link set va master br0",
                "link set va up", "link set vb up", "link set br0 up",
            ] { try Tool("ip", words.split(separator: " ").map(String.init)).run() }
            try Tool("ip", ["addr", "add", "198.51.100.1/24", "dev", "br0"]).run()
            try Tool("ip", ["route", "add", "default", "via", "198.51.100.2"]).run()
            let harness = try Self.started(proc)
            try harness.collect()
            try FrameSocket("vb").send(1_000, length: 1_514)
            try harness.collect()
            return harness.host.lastCommit
        }
        let total = values["sonde.network.host.io{network.io.direction=receive}"]
        #expect(total == .unsigned(1_514_000))
        #expect(values[Self.key(Self.io, "va", "receive")] == total)
        // A bridge takes the frames without their Ethernet header (br_handle_frame_finish): that is why it is not added.
        let bridge = values[Self.key(Self.io, "br0", "receive")]
        #expect(bridge == .unsigned(1_500_000))
        #expect(
            values["sonde.network.uplink{network.interface.name=va,sonde.uplink.rule=default_route}"] == .unsigned(1)
        )
    }

    @Test func removingMakingAgainAndRenamingAreSeen() throws {
        let (events, values) = try OwnNamespace.run { proc in
            try Tool.quiet()
            let harness = try Self.started(proc)
            try Tool("ip", ["link", "add", "va", "type", "veth", "peer", "name", "vb"]).run()
            for name in ["va", "vb"] { try Tool("ip", ["link", "set", name, "up"]).run() }
            try FrameSocket("vb").send(50, length: 1_000)
            try harness.collect()
            try Tool("ip", ["link", "del", "va"]).run()
            try Tool("ip", ["link", "add", "va", "type", "veth", "peer", "name", "vb"]).run()
            try harness.collect()
            let made = harness.host.lastCommit
            try Tool("ip", ["link", "set", "vb", "name", "vc"]).run()
            try harness.collect()
            let all = harness.host.lastCommit.merging(made) { new, _ in new }
            return (all.keys.filter { $0.contains("counter_event") }.sorted(), made)
        }
        #expect(values[Self.key(Self.io, "va", "receive")] == .unsigned(0))
        #expect(
            events == [
                "sonde.network.interface.counter_event{network.interface.name=va,sonde.counter.verdict=recreated}",
                "sonde.network.interface.counter_event{network.interface.name=vb,sonde.counter.verdict=recreated}",
                "sonde.network.interface.counter_event{network.interface.name=vc,sonde.counter.verdict=renamed}",
            ]
        )
    }

    /// A burst between two ticks: its peak is that of one tick, the average that of the whole time.
    @Test func aBurstBetweenCollectionsIsThePeak() throws {
        let (peak, io, step, period) = try OwnNamespace.run { proc in
            try Tool.quiet()
            try Tool("ip", ["link", "add", "va", "type", "veth", "peer", "name", "vb"]).run()
            for name in ["va", "vb"] { try Tool("ip", ["link", "set", name, "up"]).run() }
            let harness = try Self.started(proc, ["uplinks": .list(["va"])])
            harness.host.monotonicTime = MonotonicInstant(nanoseconds: 1_000_000_000)
            try harness.collect()
            let socket = try FrameSocket("vb")
            for burst in [0, 1, 20, 1, 0] {
                let now = try #require(harness.host.monotonicTime)
                harness.host.monotonicTime = now.advanced(by: .milliseconds(100))
                try socket.send(burst, length: 1_000)
                try harness.tick()
            }
            try harness.collect()
            let values = harness.host.lastCommit
            return (
                values[Self.key("sonde.network.interface.rate.peak", "va", "receive")],
                values[Self.key(Self.io, "va", "receive")],
                values["sonde.network.interface.rate.step{network.interface.name=va}"], harness.host.tickPeriod
            )
        }
        // The first tick has nothing to compare with.
        #expect(peak == .double(200_000))
        #expect(io == .unsigned(22_000))
        #expect(step == .double(0.1))
        // A hundredth of what a veth says it carries is more than that.
        #expect(period == .seconds(1))
    }

    @Test func withoutAnUplinkNobodyWakesUpForTicks() throws {
        let period = try OwnNamespace.run { proc in
            let harness = try Self.started(proc)
            try harness.collect()
            return harness.host.tickPeriod
        }
        #expect(period == nil)
    }

    @Test(arguments: ["name", "pid"]) func anotherNamespaceIsReadFromOutside(by way: String) throws {
        let name = "sonde-test-\(ProcessInfo.processInfo.processIdentifier)-\(way)"
        try Tool("ip", ["netns", "add", name]).run()
        defer { _ = try? Tool("ip", ["netns", "del", name]).run() }
        let (values, own) = try OwnNamespace.run { _ in
            let keeper = try NamespaceKeeper(name)
            let process = keeper.identifier
            return try withExtendedLifetime(keeper) {
                for words in [["link", "add", "inside0", "type", "veth", "peer", "name", "inside1"]] {
                    try Tool("ip", ["-n", name] + words).run()
                }
                let before = NetworkNamespace.identity(path: NetworkNamespace.ownPath)
                let harness = try PluginHarness(
                    sonde_plugin_procnet(),
                    options: ["netns": .string(way == "name" ? "name:\(name)" : "pid:\(process)")]
                )
                try harness.start()
                try harness.collect()
                try harness.collect()
                let after = NetworkNamespace.identity(path: NetworkNamespace.ownPath)
                return (harness.host.lastCommit, before == after)
            }
        }
        #expect(own, "the thread is where it was")
        #expect(values[Self.key(Self.io, "inside0", "receive")] == .unsigned(0))
        #expect(values.keys.contains { $0.hasPrefix("sonde.network.interface.info{network.interface.name=inside1") })
        #expect(values.keys.contains { $0.hasPrefix("sonde.kernel.tcp_ext.") })
        let namespace = values.keys.filter { $0.hasPrefix("sonde.network.namespace{") }
        #expect(namespace.count == 1)
        #expect(namespace.first?.contains("sonde.netns=\(way):") == true)
    }

    /// The old namespace is closed, although it would live as long as it is open.
    @Test func aNameThatStandsForAnotherNamespaceBeginsAnew() throws {
        let name = "sonde-test-\(ProcessInfo.processInfo.processIdentifier)-again"
        let make = { (device: String) in
            try Tool("ip", ["netns", "add", name]).run()
            try Tool("ip", ["-n", name, "link", "add", device, "type", "veth", "peer", "name", "peer0"]).run()
        }
        try make("first0")
        defer { _ = try? Tool("ip", ["netns", "del", name]).run() }
        let harness = try PluginHarness(sonde_plugin_procnet(), options: ["netns": .string("name:\(name)")])
        try harness.start()
        try harness.collect()
        let first = harness.host.lastCommit
        try Tool("ip", ["netns", "del", name]).run()
        let error = #expect(throws: PluginError.self) { try harness.collect() }
        #expect(error?.code == "SND-PRC008")
        let open = harness.host.series.count(where: \.isOpen)
        #expect(open == 0)
        try make("second0")
        try harness.collect()
        let second = harness.host.lastCommit
        #expect(first[Self.key(Self.io, "first0", "receive")] != nil)
        #expect(second[Self.key(Self.io, "first0", "receive")] == nil)
        #expect(second[Self.key(Self.io, "second0", "receive")] == .unsigned(0))
        let numbers = [first, second].map { $0.keys.first { $0.hasPrefix("sonde.network.namespace{") } }
        #expect(numbers[0] != nil && numbers[0] != numbers[1])
    }
}
