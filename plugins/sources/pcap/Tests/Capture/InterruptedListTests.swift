import Glibc
import SondeDomain
import SondeNetlink
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

/// Lists of links that change while the kernel makes them, or that cannot be had at all, while packets are captured.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct InterruptedListTests {
    private static let any: [String: FakeHost.Option] = [
        "interface": .string("any"), "uplinks": .list(["va", "vc"]), "buffer_size": .size(1 << 20),
    ]

    @Test func anInterruptedListEndsNoCapture() throws {
        let (packets, log) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let kernel = UnsteadyKernel()
            let bench = try CaptureBench(Self.any, links: try kernel.links)
            kernel.mood = .interruptedEmpty
            try Iproute.run("link set vb mtu 1400")
            try bench.turn { kernel.answers >= 20 }
            try FrameSender("vb").send(20)
            try bench.expect(20)
            return (bench.pipeline[0].packets, bench.fake.log)
        }
        #expect(packets == 20)
        #expect(log.filter { $0.contains("warning") } == [])
    }

    @Test func whatAnInterruptedListAddsIsCapturedOn() throws {
        let packets = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let kernel = UnsteadyKernel()
            let bench = try CaptureBench(Self.any, links: try kernel.links)
            kernel.mood = .interrupted
            try Iproute.addPair("vc", "vd")
            try bench.turn { bench.capture.slots.names.count == 2 }
            try FrameSender("vd").send(5)
            try bench.expect(5, slot: 1)
            return bench.pipeline[1].packets
        }
        #expect(packets == 5)
    }

    @Test func aListThatCannotBeHadEndsNoCaptureAndIsToldOnce() throws {
        let (packets, log) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let kernel = UnsteadyKernel()
            let bench = try CaptureBench(Self.any, links: try kernel.links)
            kernel.mood = .failing(ENOMEM)
            try Iproute.run("link set vb mtu 1400")
            try bench.turn { kernel.answers >= 5 }
            try FrameSender("vb").send(20)
            try bench.expect(20)
            return (bench.pipeline[0].packets, bench.fake.log)
        }
        #expect(packets == 20)
        #expect(log.filter { $0.contains("SND-PCP009") }.count == 1)
    }

    @Test func aFirstListThatLacksTheInterfaceSaysWhatIsWrong() throws {
        let error = try OwnNamespace.run { () -> PluginError? in
            try Iproute.addPair("va", "vb")
            let kernel = UnsteadyKernel()
            kernel.mood = .interruptedEmpty
            return #expect(throws: PluginError.self) { try CaptureBench(Self.any, links: try kernel.links) }
        }
        #expect(error?.code == "SND-PCP009")
        #expect(error?.failureClass == .transient)
        #expect(error?.message.contains("faster") == true)
    }
}

/// The kernel, whose lists of links a test can have interrupted.
private final class UnsteadyKernel {
    enum Mood {
        case steady
        /// Lists are marked as interrupted.
        case interrupted
        /// The same, and nothing is in them.
        case interruptedEmpty
        case failing(Int32)
    }

    var mood = Mood.steady
    private(set) var answers = 0

    var links: HostLinks { get throws { HostLinks(try Transport(self)) } }

    private final class Transport: NetlinkTransport {
        private let kernel: UnsteadyKernel
        private let socket: NetlinkSocket

        init(_ kernel: UnsteadyKernel) throws(NetlinkError) {
            self.kernel = kernel
            socket = try NetlinkSocket(.route)
        }

        func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) { try socket.send(request) }

        func discardWaiting() { socket.discardWaiting() }

        func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
            let count = try socket.receive(into: buffer)
            if case .steady = kernel.mood { return count }
            kernel.answers += 1
            if case .failing(let number) = kernel.mood { throw NetlinkError(.answer, number) }
            var offset = 0
            while offset + 16 <= count {
                let length = Int(buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                let flags = buffer.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self)
                // NLM_F_MULTI marks what belongs to a list, NLM_F_DUMP_INTR what was interrupted.
                if flags & 2 != 0 { buffer.storeBytes(of: flags | 0x10, toByteOffset: offset + 6, as: UInt16.self) }
                let type = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
                if case .interruptedEmpty = kernel.mood, flags & 2 != 0, type != 3 {
                    // NLMSG_NOOP
                    buffer.storeBytes(of: 1, toByteOffset: offset + 4, as: UInt16.self)
                }
                offset += max(16, (length + 3) & ~3)
            }
            return count
        }
    }
}
