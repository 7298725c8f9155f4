import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

/// What happens to an interface while it is captured on.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct InterfaceFaultTests {
    /// A fault, and how it is fixed.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let breaking: [String]
        let mending: [String]
    }

    private static let faults = [
        Fault(
            testDescription: "switched off", code: "SND-PCP004", breaking: ["link set va down"],
            mending: ["link set va up"]
        ),
        Fault(
            testDescription: "removed", code: "SND-PCP003", breaking: ["link del va"],
            mending: ["link add va type veth peer name vb", "link set va up", "link set vb up"]
        ),
        Fault(
            testDescription: "renamed", code: "SND-PCP005",
            breaking: ["link set va down", "link set va name vx", "link set vx up"],
            mending: ["link set vx down", "link set vx name va", "link set va up"]
        ),
    ]

    @Test(arguments: faults)
    func theOnlyInterfaceFailsTheRunWithTheReason(_ fault: Fault) throws {
        let error = try OwnNamespace.run { () -> PluginError? in
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interface": .string("va")])
            for command in fault.breaking { try Iproute.run(command) }
            return #expect(throws: PluginError.self) { try bench.turn { false } }
        }
        // A rename takes switching off first: either may be seen.
        #expect(error?.code == fault.code || fault.breaking.count > 1 && error?.code == "SND-PCP004")
        #expect(error?.failureClass == .transient)
    }

    @Test(arguments: faults)
    func theOnlyInterfaceIsWaitedForSomeSeconds(_ fault: Fault) throws {
        let (packets, log) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interface": .string("va")])
            for command in fault.breaking { try Iproute.run(command) }
            try bench.turn { bench.capture.captures[0].descriptor == nil }
            for command in fault.mending { try Iproute.run(command) }
            try Iproute.waitForCarrier("va", "vb")
            try bench.turn { bench.capture.captures[0].descriptor != nil }
            try FrameSender("vb").send(5)
            try bench.expect(5)
            return (bench.pipeline[0].packets, bench.fake.log)
        }
        #expect(packets == 5)
        #expect(log.contains { $0.hasPrefix("warning: ") && $0.contains("va") })
    }

    @Test(arguments: faults)
    func oneOfSeveralIsReportedAndOpenedAgainWhileTheOthersGoOn(_ fault: Fault) throws {
        let (counts, log) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.addPair("vc", "vd")
            let bench = try CaptureBench(["interfaces": .list(["va", "vc"])])
            let other = try FrameSender("vd")
            try FrameSender("vb").send(3)
            try bench.expect(3)
            for command in fault.breaking { try Iproute.run(command) }
            try bench.turn { bench.capture.captures[0].descriptor == nil }
            try other.send(4)
            try bench.expect(4, slot: 1)
            for command in fault.mending { try Iproute.run(command) }
            try Iproute.waitForCarrier("va", "vb")
            try bench.turn { bench.capture.captures[0].descriptor != nil }
            try FrameSender("vb").send(5)
            try bench.expect(8)
            return ([bench.pipeline[0].packets, bench.pipeline[1].packets], bench.fake.log)
        }
        #expect(counts == [8, 4])
        #expect(log.contains { $0.hasPrefix("warning: ") && $0.contains("va") })
        #expect(log.last == "info: capturing on 'va'")
    }

    @Test func anInterfaceThatAppearsLaterTakesAFreshStart() throws {
        let (error, packets) = try OwnNamespace.run {
            try Iproute.addPair("vc", "vd")
            let bench = try CaptureBench(["interfaces": .list(["va", "vc"])])
            #expect(bench.capture.captures[0].failure?.code == "SND-PCP003")
            try Iproute.addPair("va", "vb")
            let error = #expect(throws: PluginError.self) { try bench.turn { false } }
            bench.capture.close()
            try bench.capture.open()
            try FrameSender("vb").send(6)
            try bench.expect(6)
            return (error, bench.pipeline[0].packets)
        }
        #expect(error?.code == "SND-PCP012" && error?.failureClass == .transient)
        #expect(packets == 6)
    }

    /// Starting again would fail again, and end what is followed on the others.
    @Test func anInterfaceThatCannotBeOpenedDoesNotEndTheOthers() throws {
        let (packets, failure) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.run("tuntap add vt mode tun")
            try Iproute.run("link set vt up")
            // A filter that a device without Ethernet cannot have.
            let bench = try CaptureBench(["interfaces": .list(["vt", "va"]), "filter": .string("ether proto 0x88b5")])
            try bench.turn(for: .seconds(7))
            try FrameSender("vb").send(5)
            try bench.expect(5, slot: 1)
            return (bench.pipeline[1].packets, bench.capture.captures[0].failure)
        }
        #expect(packets == 5)
        #expect(failure?.code == "SND-PCP006")
    }

    /// Its packets have other headers, and the filter was compiled for the first ones.
    @Test func anInterfaceOfAnotherKindTakesAFreshStart() throws {
        let error = try OwnNamespace.run { () -> PluginError? in
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interface": .string("va")])
            try Iproute.run("link del va")
            try bench.turn { bench.capture.captures[0].descriptor == nil }
            try Iproute.run("tuntap add va mode tun")
            try Iproute.run("link set va up")
            return #expect(throws: PluginError.self) { try bench.turn { false } }
        }
        #expect(error?.code == "SND-PCP012")
    }

    /// The memory that is shared with the kernel outlives the device; so do flows.
    @Test func whatWasCapturedBeforeAnInterfaceVanishedIsKept() throws {
        let counts = try OwnNamespace.run { () throws -> [UInt64] in
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interface": .string("va")])
            for round in 1...UInt64(20) {
                try FrameSender("vb").send(3)
                try Iproute.run("link del va")
                try bench.turn { bench.capture.captures[0].descriptor == nil }
                try bench.turn { bench.pipeline[0].packets >= round * 3 }
                try Iproute.addPair("va", "vb")
                try bench.turn { bench.capture.captures[0].descriptor != nil }
            }
            return [bench.pipeline[0].packets, bench.capture.captures[0].dropped]
        }
        #expect(counts == [60, 0])
    }

    /// Frames to another address are seen on what came back only if it was made promiscuous again.
    @Test(arguments: ["true", "false"])
    func anInterfaceThatCameBackIsAsPromiscuousAsBefore(_ wanted: String) throws {
        let isPromiscuous = try OwnNamespace.run { () throws -> [Bool] in
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interface": .string("va"), "promiscuous": .bool(wanted == "true")])
            let before = try Iproute.output(of: "-d link show va").contains("promiscuity 1")
            try Iproute.run("link del va")
            try bench.turn { bench.capture.captures[0].descriptor == nil }
            try Iproute.addPair("va", "vb")
            try bench.turn { bench.capture.captures[0].descriptor != nil }
            let after = try Iproute.output(of: "-d link show va").contains("promiscuity 1")
            // Under another name it is not captured on.
            try Iproute.run("link set va name vx")
            try bench.turn { bench.capture.captures[0].descriptor == nil }
            return [before, after, try Iproute.output(of: "-d link show vx").contains("promiscuity 1")]
        }
        #expect(isPromiscuous == [wanted == "true", wanted == "true", false])
    }

    @Test func anUplinkThatComesIsCountedWithTheOthers() throws {
        let packets = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench(["interface": .string("any"), "uplinks": .list(["va", "vc"])])
            try Iproute.addPair("vc", "vd")
            try bench.turn { bench.capture.slots.names.count == 2 }
            try FrameSender("vd").send(6)
            try bench.expect(6, slot: 1)
            return bench.pipeline[1].packets
        }
        #expect(packets == 6)
    }
}
