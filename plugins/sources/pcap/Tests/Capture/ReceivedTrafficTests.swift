import Foundation
import Glibc
import SondeDomain
import SondeNetlink
import Testing

@testable import PcapPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// What is captured on real devices against the kernel's own count, frame by frame.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct ReceivedTrafficTests {
    /// Devices that are captured on, and how they are made; frames are sent on `vb`.
    struct Device: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: [String: FakeHost.Option]
        let making: [String]
    }

    private static let devices = [
        Device(testDescription: "veth", options: ["interface": .string("va")], making: []),
        Device(
            testDescription: "any", options: ["interface": .string("any"), "uplinks": .list(["va"])], making: []),
        Device(
            testDescription: "bridge", options: ["interface": .string("br0")],
            making: [
                "link add br0 address 02:00:00:00:00:01 type bridge", "link set va master br0", "link set br0 up",
            ]),
        Device(
            testDescription: "macvlan", options: ["interface": .string("mv0")],
            making: [
                "link add link va name mv0 address 02:00:00:00:00:01 type macvlan mode private", "link set mv0 up",
            ]),
    ]

    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Bytes and packets of everything that was compared, by who has counted; in five rounds, or until so many packets are
    /// among it: a round that was disturbed is left out.
    private static func compared(
        _ device: Device,
        atLeast packets: UInt64 = 0,
        _ traffic: @escaping @Sendable (Int) throws -> Void
    ) throws -> [ReceivedComparison.Totals] {
        try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            for command in device.making { try Iproute.run(command) }
            let bench = try CaptureBench(device.options)
            var totals: [UInt16: ReceivedComparison.Totals] = [:]
            for round in 0..<50 {
                bench.fake.wallTime = now()
                totals = bench.capture.compareReceived()
                if round >= 5, (totals.values.map(\.captured.packets).max() ?? 0) >= packets { break }
                try traffic(round)
                try bench.turn(for: .milliseconds(600))
            }
            return Array(totals.values)
        }
    }

    @Test(arguments: devices)
    func ofCleanTrafficBothCountTheSame(_ device: Device) throws {
        let totals = try Self.compared(device, atLeast: 180) { round in
            let sender = try FrameSender("vb")
            for length in [60, 200, 1_514] { try sender.send(20 + round, length: length) }
        }
        let sum = try #require(totals.first)
        #expect(totals.count == 1)
        #expect(sum.captured == sum.counted)
        #expect(sum.captured.packets >= 180)
    }

    @Test func whatIsSentIsNotAmongWhatIsReceived() throws {
        let totals = try Self.compared(Self.devices[0]) { round in
            try FrameSender("vb").send(10, length: 100)
            var frame = [UInt8](repeating: 0, count: 500)
            frame.replaceSubrange(6..<12, with: try hardwareAddress("va"))
            for _ in 0..<50 { try FrameSender("va").send(frame) }
        }
        let sum = try #require(totals.first)
        #expect(sum.captured == sum.counted)
        #expect(sum.counted.bytes == sum.counted.packets * 100)
    }

    @Test func onTheLoopbackBothCountTheSame() throws {
        let sum = try OwnNamespace.run { () -> ReceivedComparison.Totals? in
            try Iproute.run("link set lo up")
            let bench = try CaptureBench(["interface": .string("lo")])
            var totals: [UInt16: ReceivedComparison.Totals] = [:]
            let out = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(out) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(9).bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            for _ in 0..<5 {
                bench.fake.wallTime = Self.now()
                totals = bench.capture.compareReceived()
                let data = [UInt8](repeating: 0, count: 700)
                for _ in 0..<40 {
                    _ = withUnsafePointer(to: &address) {
                        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            sendto(out, data, data.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                        }
                    }
                }
                try bench.turn(for: .milliseconds(600))
            }
            return totals.values.first
        }
        let totals = try #require(sum)
        #expect(totals.captured == totals.counted)
        #expect(totals.captured.packets >= 100)
    }

    @Test func withAFilterNothingIsCompared() throws {
        let device = Device(
            testDescription: "filter", options: ["interface": .string("va"), "filter": .string("ip")], making: [])
        #expect(try Self.compared(device) { _ in try FrameSender("vb").send(10) }.isEmpty)
    }

    @Test func anInterfaceThatWasGoneBeginsAnew() throws {
        let totals = try Self.compared(Self.devices[0]) { round in
            try FrameSender("vb").send(10, length: 100)
            guard round == 2 else { return }
            try Iproute.run("link set va down")
            try Iproute.run("link set va up")
            try Iproute.waitForCarrier("va", "vb")
            try FrameSender("vb").send(10, length: 100)
        }
        for sum in totals { #expect(sum.captured == sum.counted) }
    }
}

/// The hardware address of an interface of the thread's namespace.
private func hardwareAddress(_ name: String) throws -> [UInt8] {
    let link = try #require(try HostLinks.here.links(besides: []).entries.first { $0.link.name == name })
    return link.address.split(separator: ":").compactMap { UInt8($0, radix: 16) }
}
