import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

/// Counts after the agent has restarted the source.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct CaptureRestartTests {
    @Test func countsStayWithTheNamesOfInterfacesThatComeBackInAnotherOrder() throws {
        let (names, packets) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.addPair("vc", "vd")
            let bench = try CaptureBench(["interface": .string("any"), "uplinks": .list(["va", "vc"])])
            try FrameSender("vb").send(20)
            try FrameSender("vd").send(5)
            try bench.turn { bench.pipeline[0].packets >= 20 && bench.pipeline[1].packets >= 5 }
            bench.capture.close()
            // It gets a higher number than the other one.
            try Iproute.run("link del va")
            try Iproute.addPair("va", "vb")
            try bench.capture.open()
            try FrameSender("vb").send(3)
            try bench.turn { bench.pipeline[0].packets >= 23 }
            return (bench.capture.slots.names, [bench.pipeline[0].packets, bench.pipeline[1].packets])
        }
        #expect(names == ["va", "vc"])
        #expect(packets == [23, 5])
    }

    @Test func whatTheKernelDroppedBeforeStaysDropped() throws {
        let (before, after, pending) = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            let bench = try CaptureBench([
                "interface": .string("va"), "buffer_size": .size(262_144), "snaplen": .size(2_048),
            ])
            try FrameSender("vb").send(3_000, length: 1_514)
            bench.capture.close()
            let before = bench.capture.captures[0].dropped
            try bench.capture.open()
            let losses = bench.capture.captures[0].takeLosses()
            return (before, bench.capture.captures[0].dropped, losses.dropped)
        }
        #expect(before > 0)
        #expect(after == before && pending == before)
    }
}
