import Foundation
import Testing

@testable import PcapPlugin

/// Reports of generated captures, compared with what their generator reports.
@Suite(.enabled(if: GeneratedCapture.isPossible, "needs python3"))
struct GeneratedCaptureTests {
    @Test(arguments: ["mix", "dns"])
    func everyCountIsTheGenerators(_ profile: String) async throws {
        let (capture, truth) = try await GeneratedCapture.make(profile, packets: 20_000)
        let counts = try FlatReport(capture).counts
        let same = [
            "packets": "packets", "bytes": "wire_bytes", "captured_bytes": "captured_bytes", "ipv4.packets": "ipv4",
            "ipv6.packets": "ipv6", "other.packets": "arp", "fragments": "fragments", "tcp.packets": "tcp",
            "icmp.packets": "icmp", "tcp.fin": "tcp_fin", "tcp.rst": "tcp_rst", "dns.queries": "dns_queries",
            "dns.responses": "dns_responses", "dns.rcode.NXDOMAIN": "dns_rcode.NXDOMAIN",
            "dns.rcode.SERVFAIL": "dns_rcode.SERVFAIL", "dns.rcode.NOERROR": "dns_rcode.NOERROR",
            "dns.rcode.REFUSED": "dns_rcode.REFUSED", "dns.qtype.A": "dns_qtype.1", "dns.qtype.AAAA": "dns_qtype.28",
            "dns.qtype.HTTPS": "dns_qtype.65", "dns.qtype.PTR": "dns_qtype.12", "dns.qtype.MX": "dns_qtype.15",
            "dns.qtype.TXT": "dns_qtype.16", "dns.qtype.SRV": "dns_qtype.33",
        ]
        for (key, name) in same { #expect(counts[key] ?? 0 == truth[name] ?? 0, "\(key)") }
        #expect((counts["tcp.syn"] ?? 0) + (counts["tcp.syn_ack"] ?? 0) == truth["tcp_syn"])
        // It counts the later fragments of a datagram under UDP as well: one for each first fragment but the last, maybe.
        let later = ((truth["fragments"] ?? 0) / 2).rounded(.down)
        #expect((counts["udp.packets"] ?? 0) + later == truth["udp"])
        #expect(counts["malformed"] == 0)
        #expect(counts["dns.response_time.count"] == counts["dns.responses"])
        #expect((counts["dns.unanswered"] ?? 0) == (counts["dns.queries"] ?? 0) - (counts["dns.responses"] ?? 0))
    }
}

/// Makes captures with the script that the benchmarks use.
enum GeneratedCapture {
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../../Benchmarks/yardsticks/gen_capture.py").standardized.path

    static var isPossible: Bool { python != nil }

    /// A capture, and the numbers of its truth file by their path.
    static func make(_ profile: String, packets: Int) async throws -> (capture: [UInt8], truth: [String: Double]) {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap").path
        defer {
            for suffix in ["", ".truth.json"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // On its own thread: waiting here would keep other tests from running.
            Thread.detachNewThread {
                continuation.resume(with: Result { try run(profile, packets, path) })
            }
        }
        let truth = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path + ".truth.json")))
        var counts: [String: Double] = [:]
        for (key, value) in truth as? [String: Any] ?? [:] {
            if let number = value as? NSNumber { counts[key] = number.doubleValue }
            for (part, value) in value as? [String: Any] ?? [:] {
                if let number = value as? NSNumber { counts["\(key).\(part)"] = number.doubleValue }
            }
        }
        return ([UInt8](try Data(contentsOf: URL(filePath: path))), counts)
    }

    private static func run(_ profile: String, _ packets: Int, _ path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: python ?? "")
        process.arguments = [script, "--profile", profile, "--packets", "\(packets)", "--out", path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
