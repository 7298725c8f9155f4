import CPcap
import Foundation
import SondeTestKit
import Testing

/// A capture that libpcap records between two hosts of the test: a pair of veths in their own namespace.
enum RecordedCapture {
    enum Kind: CaseIterable, CustomTestStringConvertible {
        case ethernet
        /// Without link headers, from the device `any`.
        case cooked
        case cooked2
        case cut

        var testDescription: String { "\(self)" }
        var hasLinkHeaders: Bool { self == .ethernet || self == .cut }
        fileprivate var device: String { hasLinkHeaders ? "pb" : "any" }
        fileprivate var snapLength: Int32 { self == .cut ? 90 : 65_535 }
    }

    struct Failure: Error {
        let reason: String
    }

    /// Sends `frames` through a packet socket and records them on the other side.
    static func make(_ kind: Kind, of frames: [[UInt8]]) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try OwnNamespace.run {
                            try Iproute.addPair("pa", "pb")
                            return try record(kind, frames)
                        }
                    })
            }
        }
    }

    private static func record(_ kind: Kind, _ frames: [[UInt8]]) throws -> [UInt8] {
        let receiver = try open(kind)
        defer { pcap_close(receiver) }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap").path
        guard let dump = pcap_dump_open(receiver, path) else { throw Failure(reason: text(receiver)) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sender = try FrameSender("pa")
        for frame in frames { try sender.send(frame) }
        var left = frames.count
        let deadline = Date().addingTimeInterval(20)
        while left > 0, Date() < deadline {
            let count = pcap_dispatch(receiver, Int32(left), pcap_dump, UnsafeMutablePointer<UInt8>(dump))
            guard count >= 0 else { throw Failure(reason: text(receiver)) }
            left -= Int(count)
            if count == 0 { usleep(5_000) }
        }
        pcap_dump_close(dump)
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private static func open(_ kind: Kind) throws -> OpaquePointer {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let pcap = pcap_create(kind.device, &reason) else {
            throw Failure(reason: String(decoding: reason.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        pcap_set_snaplen(pcap, kind.snapLength)
        pcap_set_timeout(pcap, 10)
        guard pcap_activate(pcap) >= 0 else { throw Failure(reason: text(pcap)) }
        if kind == .cooked2 { pcap_set_datalink(pcap, DLT_LINUX_SLL2) }
        // Waiting for a packet that does not come would never end.
        guard pcap_setnonblock(pcap, 1, &reason) == 0 else { throw Failure(reason: text(pcap)) }
        // Each frame is seen on both ends; only what arrives counts.
        guard pcap_setdirection(pcap, PCAP_D_IN) == 0 else { throw Failure(reason: text(pcap)) }
        return pcap
    }

    private static func text(_ pcap: OpaquePointer) -> String { String(cString: pcap_geterr(pcap)) }
}
