import Foundation
import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

/// Connections through a relay that holds every frame back.
@Suite(
    .enabled(if: OtherNamespace.canRun("python3"), "needs root, util-linux, Python")
)
struct HandshakeDelayTests {
    @Test func handshakesTakeWhatARelayAddsToThem() throws {
        let times = try OwnNamespace.run { () -> [Double] in
            try Iproute.addPair("va", "vb")
            try Iproute.addPair("vc", "vd")
            let relayed = try OtherNamespace()
            let server = try OtherNamespace()
            try relayed.take("vb")
            try relayed.take("vc")
            try server.take("vd", "10.77.0.2/24")
            try Iproute.run("addr add 10.77.0.1/24 dev va")
            let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/delay_relay.py").path
            let relay = try relayed.start("python3", [script, "vb", "vc", "20"])
            let listen =
                "import socket,time;s=socket.create_server(('10.77.0.2',443));print('ready',flush=True);time.sleep(300)"
            let listener = try server.start("python3", ["-c", listen])
            try Self.wait { relay.output.contains("ready") && listener.output.contains("ready") }
            var settings = AnalysisSettings()
            settings.flows = FlowSettings(bytes: 1 << 20)
            let bench = try CaptureBench(["interface": .string("va"), "buffer_size": .size(4 << 20)], settings)
            return try Self.connect(20, bench)
        }
        // Two frames are held back for 20 ms each. The machine can only make it longer, so the shortest one counts.
        let shortest = try #require(times.min())
        #expect(times.count == 20)
        #expect(shortest >= 0.040 && shortest < 0.044)
    }

    /// Opens connections one after the other and returns what each handshake took.
    private static func connect(_ count: Int, _ bench: CaptureBench) throws -> [Double] {
        var times: [Double] = []
        var sum = 0.0
        for number in 1...UInt64(count) {
            let client = try TestProcess(
                "python3", ["-c", "import socket;socket.create_connection(('10.77.0.2',443),20)"])
            try bench.turn { (Self.handshakes(bench)?.count ?? 0) >= number }
            #expect(client.wait() == 0)
            let now = handshakes(bench)?.sum ?? 0
            times.append(now - sum)
            sum = now
        }
        return times
    }

    private static func handshakes(_ bench: CaptureBench) -> HistogramValue? {
        bench.pipeline.analysis?.pointee.flows?.totals.handshakes.snapshot
    }

    static func wait(_ isReady: () -> Bool) throws {
        let deadline = Date.now.addingTimeInterval(30)
        while !isReady() {
            guard Date.now < deadline else { throw TestProcess.Failure(program: "ready", number: ETIMEDOUT) }
            usleep(20_000)
        }
    }
}
