import SondeTestKit
import SondeWire
import Testing

@Suite struct DNSTsharkTests {
    private static let fields = [
        "dns.id", "dns.flags.response", "dns.flags.opcode", "dns.flags.rcode", "dns.flags.truncated",
        "dns.flags.authenticated", "dns.count.queries", "dns.count.answers", "dns.qry.type", "dns.qry.class",
        "dns.qry.name", "dns.resp.ext_rcode", "dns.resp.edns0_version", "dns.resp.z.do", "_ws.malformed",
    ]

    /// Messages of every kind that the builder can make, the same in every run.
    private static func messages() -> [[UInt8]] {
        var generator = SeededGenerator(seed: 53)
        let names = ["example.org", "a.b.c.d.e.example", "xn--bcher-kva.example", "_sip._udp.example.net", "org"]
        let types: [UInt16] = [1, 2, 5, 6, 12, 15, 16, 28, 33, 65, 255, 257, 65_280]
        return (0..<400).map { index in
            let isResponse = Bool.random(using: &generator)
            let codes = UInt16([0, 0, 1, 2, 3, 5, 9].randomElement(using: &generator) ?? 0)
            let bits: UInt16 = [0x0100, 0x0120, 0x0310, 0x0580].randomElement(using: &generator) ?? 0
            var builder = DNSMessageBuilder(id: UInt16(index), flags: (isResponse ? 0x8000 | codes : 0) | bits)
                .asking(
                    names.randomElement(using: &generator) ?? "org",
                    type: types.randomElement(using: &generator) ?? 1,
                    queryClass: index % 17 == 0 ? 3 : 1
                )
            for _ in 0..<(isResponse ? Int.random(in: 0...4, using: &generator) : 0) {
                builder =
                    Bool.random(using: &generator)
                    ? builder.answering(type: 1, data: [192, 0, 2, UInt8(index & 255)])
                    : builder.answering(type: 5, data: [3, 0x63, 0x64, 0x6e, 0xc0, 12])
            }
            guard Bool.random(using: &generator) else { return builder.bytes }
            return builder.withEDNS(
                timeToLive: (isResponse ? 0x0100_0000 : 0) | (Bool.random(using: &generator) ? 0x8000 : 0),
                options: Bool.random(using: &generator) ? [0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8] : []
            ).bytes
        }
    }

    @Test(.enabled(if: Tshark.isInstalled, "tshark is not installed"))
    func everyFieldIsWhatTsharkReads() async throws {
        let messages = Self.messages()
        var capture = CaptureFileBuilder()
        for bytes in messages {
            let isResponse = bytes[2] & 0x80 != 0
            let ports = isResponse ? UDPLayer(53, 40_000) : UDPLayer(40_000, 53)
            capture.add(PacketBuilder([EthernetLayer(), IPv4Layer(), ports], payload: bytes).bytes)
        }
        let rows = try await Tshark.rows(of: capture.bytes, fields: Self.fields)
        try #require(rows.count == messages.count)
        for (bytes, row) in zip(messages, rows) {
            let ours = try Self.row(bytes)
            #expect(ours == row)
        }
    }

    /// What tshark prints for a message, made from what we read.
    private static func row(_ bytes: [UInt8]) throws -> [String] {
        let summary = DNSSummary.of(bytes)
        let name = try bytes.withUnsafeBytes { message throws -> String in
            try DNSName(in: WireBytes(message), at: DNSHeader.size).text
        }
        func bit(_ isSet: Bool) -> String { isSet ? "1" : "0" }
        func hexadecimal(_ number: Int, _ width: Int) -> String {
            let digits = String(number, radix: 16)
            return "0x" + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        // tshark shows the response code for responses alone, and AD also for queries that set it.
        let isResponse = summary.isResponse
        return [
            hexadecimal(Int(summary.id), 4), bit(isResponse), "\(summary.flags.opcode.rawValue)",
            isResponse ? "\(summary.flags.lowResponseCode)" : "", bit(summary.flags.contains(.truncated)),
            isResponse || summary.flags.contains(.authenticData) ? bit(summary.flags.contains(.authenticData)) : "",
            "\(summary.questionCount)", "\(summary.answerCount)", "\(summary.questionType.rawValue)",
            hexadecimal(Int(summary.questionClass.rawValue), 4), name,
            summary.edns.map { hexadecimal(Int($0.highResponseCode), 2) } ?? "",
            summary.edns.map { "\($0.version)" } ?? "",
            summary.edns.map { bit($0.isDNSSECOK) } ?? "",
            summary.malformation == nil ? "" : "1",
        ]
    }
}
