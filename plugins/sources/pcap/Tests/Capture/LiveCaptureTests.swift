import SondeDomain
import SondeNetlink
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

/// Packets of a known number between two veths, in a network namespace of the test's own.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct LiveCaptureTests {
    private static let one: [String: FakeHost.Option] = ["interface": .string("va"), "buffer_size": .size(4 << 20)]

    @Test func everyPacketIsCountedOnceWithItsLengthOnTheWire() throws {
        let counts = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(Self.one)
            let sender = try FrameSender("vb")
            for length in [60, 256, 257, 1_514] { try sender.send(250, length: length) }
            try bench.expect(1_000)
            return bench.pipeline[0]
        }
        #expect(
            counts
                == PacketPipeline.Counts(
                    packets: 1_000, bytes: 250 * (60 + 256 + 257 + 1_514), capturedBytes: 250 * (60 + 3 * 256)
                )
        )
    }

    @Test func aFilterLeavesOutWhatItDoesNotName() throws {
        let packets = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(Self.one.merging(["filter": .string("ether proto 0x88b6")]) { $1 })
            let sender = try FrameSender("vb")
            try sender.send(30)
            try sender.send(7, type: [0x88, 0xb6])
            try sender.send(30)
            try bench.expect(7)
            return bench.pipeline[0].packets
        }
        #expect(packets == 7)
    }

    @Test(arguments: ["", "vlan 7"])
    func framesWithAVLANTagAreSeenWithIt(_ filter: String) throws {
        let counts = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(Self.one.merging(["filter": .string(filter)]) { $1 })
            try FrameSender("vb").send(9, length: 100, type: [0x81, 0x00, 0x00, 0x07, 0x88, 0xb5])
            try bench.expect(9)
            return bench.pipeline[0]
        }
        #expect(counts == PacketPipeline.Counts(packets: 9, bytes: 900, capturedBytes: 900))
    }

    /// Three megabytes of packets fit into one when only their beginning is copied, however slowly they come.
    @Test func theKernelCopiesOnlyTheBeginningOfAPacket() throws {
        let (counts, losses) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench([
                "interface": .string("va"), "buffer_size": .size(1 << 20), "snaplen": .size(64),
            ])
            try FrameSender("vb").send(2_000, length: 1_514)
            try bench.expect(2_000)
            return (bench.pipeline[0], bench.capture.captures[0].takeLosses())
        }
        #expect(counts.capturedBytes == 128_000)
        #expect(losses.dropped == 0)
        #expect(losses.received == 2_000)
    }

    @Test(arguments: ["", "tcp or udp or vlan"])
    func segmentsOfDNSAreKeptWholeAndEverythingElseIsCut(_ filter: String) throws {
        let captured = try OwnNamespace.run { () throws -> [UInt64] in
            try Iproute.addPair("va", "vb")
            var settings = AnalysisSettings()
            settings.dns = DNSSettings(rankingCapacity: 0, seed: 7)
            let bench = try CaptureBench(
                Self.one.merging(["snaplen": .size(64), "filter": .string(filter)]) { $1 }, settings)
            let sender = try FrameSender("vb")
            var captured: [UInt64] = []
            for (number, layers) in Self.streams.enumerated() {
                try sender.send(PacketBuilder(layers, payload: [UInt8](repeating: 7, count: 1_000)).bytes)
                try bench.expect(UInt64(number + 1))
                captured.append(bench.pipeline[0].capturedBytes - captured.reduce(0, +))
            }
            return captured
        }
        // libpcap puts the tag back that the kernel took out.
        #expect(captured == [1_054, 1_058, 1_074, 64, 64, 68])
    }

    /// TCP on port 53, plainly, tagged and in IPv6; then what is none of that.
    private static let streams: [[any PacketLayer]] = [
        [EthernetLayer(), IPv4Layer(), TCPLayer(40_000, 53)],
        [EthernetLayer(), VLANLayer(7), IPv4Layer(), TCPLayer(53, 40_000)],
        [EthernetLayer(), IPv6Layer(), TCPLayer(40_000, 53)],
        [EthernetLayer(), IPv4Layer(), TCPLayer(40_000, 443)],
        [EthernetLayer(), IPv4Layer(), UDPLayer(40_000, 53)],
        [EthernetLayer(), VLANLayer(7), IPv4Layer(), UDPLayer(40_000, 53)],
    ]

    @Test func ofAnInterfaceThatWasNeverThereOnlyThatIsTold() throws {
        let commit = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interfaces": .list(["va", "absent"]), "buffer_size": .size(1 << 20)])
            let report = CaptureReport(bench.host)
            report.gather(bench.capture, bench.pipeline)
            #expect(report.commit() == .taken)
            return bench.fake.lastCommit
        }
        #expect(commit["sonde.capture.active{network.interface.name=absent}"] == .signed(0))
        #expect(commit.keys.filter { $0.contains("absent") }.count == 1)
        #expect(commit["sonde.capture.packet.count{network.interface.name=va}"] == .unsigned(0))
    }

    @Test func whatTheKernelDropsIsCountedReportedAndLost() throws {
        let (packets, commit, losses) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench([
                "interface": .string("va"), "buffer_size": .size(262_144), "snaplen": .size(2_048),
            ])
            let report = CaptureReport(bench.host)
            try FrameSender("vb").send(3_000, length: 1_514)
            try bench.expect(1)
            report.gather(bench.capture, bench.pipeline)
            #expect(report.commit() == .taken)
            return (bench.pipeline[0].packets, bench.fake.lastCommit, bench.fake.losses)
        }
        let dropped = 3_000 - packets
        #expect(dropped > 0)
        #expect(commit["sonde.capture.packet.count{network.interface.name=va}"] == .unsigned(packets))
        #expect(commit["sonde.capture.packet.dropped{network.interface.name=va}"] == .unsigned(dropped))
        #expect(losses.map(\.reason) == ["kernel_drop"])
        #expect(losses.map(\.count) == [dropped])
    }

    @Test func anyCountsThePacketsOfUplinksOnly() throws {
        let (names, packets, taken) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.addPair("vc", "vd")
            let bench = try CaptureBench(["interface": .string("any"), "uplinks": .list(["va", "vc"])])
            try FrameSender("vb").send(20)
            try FrameSender("vd").send(5)
            try bench.turn { bench.pipeline[0].packets >= 20 && bench.pipeline[1].packets >= 5 }
            try bench.expect(20)
            let packets = [bench.pipeline[0].packets, bench.pipeline[1].packets]
            return (bench.capture.slots.names, packets, bench.pipeline[2].packets)
        }
        #expect(names == ["va", "vc"])
        #expect(packets == [20, 5])
        #expect(taken == 0)
    }

    @Test func aHostWithoutUplinksIsAFailureAndNotAZero() throws {
        let error = try OwnNamespace.run { () -> PluginError? in
            #expect(throws: PluginError.self) { try CaptureBench(["interface": .string("any")]) }
        }
        #expect(error?.code == "SND-PCP008")
        #expect(error?.failureClass == .transient)
    }

    @Test func theDefaultRouteTellsTheUplinkWhereThereIsNoHardware() throws {
        let (choice, links) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.run("addr add 198.51.100.1/24 dev va")
            try Iproute.run("route add default via 198.51.100.2")
            let links = try HostLinks.here.links(besides: []).entries.map(\.link)
            return (UplinkChoice(among: links, defaultRoutes: try HostLinks.here.defaultRoutes()), links)
        }
        #expect(choice.rule == .defaultRoute)
        #expect(choice.links.map(\.name) == ["va"])
        let veth = try #require(links.first { $0.name == "va" })
        #expect(veth.kind == "veth")
        #expect(veth.isUp && !veth.hasForeignPeer)
        #expect(veth.lower == links.first { $0.name == "vb" }?.index)
        #expect(links.first { $0.name == "lo" }?.isLoopback == true)
    }
}
