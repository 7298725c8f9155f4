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
            try bench.turn { bench.capture.captures[0].descriptor != nil }
            try FrameSender("vb").send(5)
            try bench.expect(8)
            return ([bench.pipeline[0].packets, bench.pipeline[1].packets], bench.fake.log)
        }
        #expect(counts == [8, 4])
        #expect(log.contains { $0.hasPrefix("warning: ") && $0.contains("va") })
        #expect(log.last == "info: capturing on 'va'")
    }

    @Test func anInterfaceThatAppearsLaterIsCapturedOnThen() throws {
        let packets = try OwnNamespace.run {
            try Iproute.addPair("vc", "vd")
            let bench = try CaptureBench(["interfaces": .list(["va", "vc"])])
            #expect(bench.capture.captures[0].failure?.code == "SND-PCP003")
            try Iproute.addPair("va", "vb")
            try bench.turn { bench.capture.captures[0].descriptor != nil }
            try FrameSender("vb").send(6)
            try bench.expect(6)
            return bench.pipeline[0].packets
        }
        #expect(packets == 6)
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
