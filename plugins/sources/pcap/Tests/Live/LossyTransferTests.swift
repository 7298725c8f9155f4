import Foundation
import SondeTestKit
import Testing

@testable import PcapPlugin

/// A megabyte over a real connection whose relay loses segments.
@Suite(
    .enabled(if: OtherNamespace.canRun("python3") && TsharkReport.isInstalled, "needs root, Python, tshark"),
    .timeLimit(.minutes(3))
)
struct LossyTransferTests {
    private static let receive = """
        import socket
        s = socket.create_server(('10.78.0.2', 8080))
        print('ready', flush=True)
        c, _ = s.accept()
        while c.recv(65536): pass
        """
    private static let send = """
        import socket
        s = socket.create_connection(('10.78.0.2', 8080), 60)
        s.sendall(bytes(1 << 20))
        s.shutdown(socket.SHUT_WR)
        s.recv(1)
        """

    // With fewer losses tshark may call every segment that is sent again one that is out of order.
    @Test(arguments: [11, 23])
    func asManySegmentsAreSentAgainAsTsharkSays(_ lost: Int) async throws {
        let capture = try Self.transfer(losing: lost)
        let counts = try FlatReport(capture).counts
        let expected = try await TsharkReport(capture).counts
        let again = try #require(counts["tcp.retransmissions"])
        #expect(again > 0, "of \(counts["tcp.packets"] ?? 0) segments")
        for key in ["packets", "tcp.packets", "tcp.syn", "tcp.fin", "tcp.conversations", "tcp.retransmissions"] {
            #expect(counts[key] == expected[key], "\(key)")
        }
    }

    /// What the sender's interface sees.
    private static func transfer(losing lost: Int) throws -> [UInt8] {
        try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.addPair("vc", "vd")
            let relayed = try OtherNamespace()
            let receiver = try OtherNamespace()
            // The relay cannot send more than a frame holds.
            for name in ["va", "vd"] { try Iproute.run("link set \(name) gso_max_segs 1") }
            try relayed.take("vb")
            try relayed.take("vc")
            try receiver.take("vd", "10.78.0.2/24")
            try Iproute.run("addr add 10.78.0.1/24 dev va")
            let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/delay_relay.py").path
            let relay = try relayed.start("python3", [script, "vb", "vc", "5", "\(lost)"])
            let listener = try receiver.start("python3", ["-c", receive])
            try HandshakeDelayTests.wait { relay.output.contains("ready") && listener.output.contains("ready") }
            let dump = try CaptureDump("va", snapLength: 128)
            let sender = try TestProcess("python3", ["-c", send])
            try HandshakeDelayTests.wait {
                try? dump.drain()
                return sender.hasEnded
            }
            usleep(100_000)
            try dump.drain()
            #expect(dump.dropped == 0)
            return try dump.bytes()
        }
    }
}
