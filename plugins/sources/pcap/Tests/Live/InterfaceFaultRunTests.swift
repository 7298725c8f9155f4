import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

/// Every fault of an interface after the other, with flows and DNS on: the short form of `make faults-live`.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct InterfaceFaultRunTests {
    /// What is done to the interface va, whose other end is vb; afterwards it is there again.
    private struct Fault {
        let name: String
        let breaking: [String]
        let mending: [String]
        /// Whether the capture ends with it.
        var closes = true
    }

    private static let faults = [
        Fault(name: "switched off", breaking: ["link set va down"], mending: ["link set va up"]),
        Fault(
            name: "renamed", breaking: ["link set va down", "link set va name vx"],
            mending: ["link set vx name va", "link set va up"]
        ),
        Fault(name: "removed", breaking: ["link del va"], mending: pair),
        Fault(
            name: "replaced", breaking: ["link set va down", "link set va name vx", "link set vb name vy"] + pair,
            mending: ["link del vx"]
        ),
        Fault(
            name: "other addresses",
            breaking: ["addr add 10.9.0.1/24 dev va", "link set va address 02:00:00:00:00:77"],
            mending: ["addr flush dev va"], closes: false
        ),
        Fault(
            name: "other MTU", breaking: ["link set va mtu 68", "link set va mtu 9000"],
            mending: ["link set va mtu 1500"], closes: false
        ),
        Fault(name: "no carrier", breaking: ["link set vb down"], mending: ["link set vb up"], closes: false),
        Fault(
            name: "part of a bridge", breaking: ["link add vbr type bridge", "link set va master vbr"],
            mending: ["link set va nomaster", "link del vbr"], closes: false
        ),
    ]
    private static let pair = ["link add va type veth peer name vb", "link set va up", "link set vb up"]

    @Test func packetsAreCountedAgainAfterEveryFault() throws {
        let log = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.addPair("vc", "vd")
            var settings = AnalysisSettings()
            settings.flows = FlowSettings(bytes: 1 << 16)
            settings.dns = DNSSettings(seed: 1)
            let bench = try CaptureBench(["interfaces": .list(["va", "vc"]), "buffer_size": .size(1 << 20)], settings)
            for fault in Self.faults { try Self.suffer(fault, bench) }
            #expect(bench.pipeline.analysis?.pointee.frames.malformed ?? 0 > 0)
            #expect(bench.pipeline[1].packets == 0)
            return bench.fake.log
        }
        let reopened = Self.faults.filter(\.closes).count + 2
        #expect(log.filter { $0.hasPrefix("info: capturing on") }.count >= reopened)
    }

    private static func suffer(_ fault: Fault, _ bench: CaptureBench) throws {
        for command in fault.breaking { try Iproute.run(command) }
        if fault.closes, fault.name != "replaced" {
            try bench.turn { bench.capture.captures[0].descriptor == nil }
        }
        for command in fault.mending { try Iproute.run(command) }
        try Iproute.waitForCarrier("va", "vb")
        // A capture that is open on what was there before is closed first.
        try bench.turn(for: .milliseconds(300))
        try bench.turn { bench.capture.captures[0].descriptor != nil }
        let before = bench.pipeline[0].packets
        let sender = try FrameSender("vb")
        for frame in frames { try sender.send(frame) }
        try bench.expect(before + UInt64(frames.count))
        #expect(bench.pipeline[0].packets == before + UInt64(frames.count), "\(fault.name)")
    }

    /// Sound frames, and each of them broken somewhere.
    private static let frames: [[UInt8]] = {
        let sound = Exchange.frames() + Exchange.frames([EthernetLayer(), VLANLayer(7)], six: true)
        return sound
            + sound.enumerated().map { number, frame in
                var broken = frame
                broken[14 + number * 5 % (frame.count - 14)] ^= 0xff
                return broken
            }
    }()
}
