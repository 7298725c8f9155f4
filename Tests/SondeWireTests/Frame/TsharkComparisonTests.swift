import SondeTestKit
import SondeWire
import Testing

@Suite(.enabled(if: Tshark.isInstalled, "tshark is not installed"))
struct TsharkComparisonTests {
    private static let fields = [
        "ip.src", "ip.dst", "ip.proto", "ipv6.src", "ipv6.dst", "arp.opcode", "ieee8021ad.id", "vlan.id", "tcp.srcport",
        "tcp.dstport",
        "tcp.flags", "tcp.seq_raw", "tcp.ack_raw", "tcp.window_size_value", "tcp.hdr_len", "tcp.len", "udp.srcport",
        "udp.dstport", "udp.length", "icmp.type", "icmpv6.type", "sctp.srcport", "sctp.dstport",
    ]

    @Test func everyFieldIsWhatTsharkReads() async throws {
        // It knows segmentation offload in IPv4 only.
        let fixtures = FrameFixture.all.filter { $0.name != "IPv6 segmentation offload" }
        let rows = try await Tshark.rows(of: Self.capture(fixtures), fields: Self.fields)
        try #require(rows.count == fixtures.count)
        for (fixture, row) in zip(fixtures, rows) {
            #expect(Self.row(fixture) == Self.withOneVLAN(row), "\(fixture.name)")
        }
    }

    /// The row with the outermost tag's VLAN alone: an 802.1ad tag has a column of its own.
    private static func withOneVLAN(_ row: [String]) -> [String] {
        guard row.count == fields.count else { return row }
        return row[..<6] + [row[6].isEmpty ? row[7] : row[6]] + row[8...]
    }

    /// A pcapng file with an interface for each link type.
    private static func capture(_ fixtures: [FrameFixture]) -> [UInt8] {
        let linkTypes = fixtures.map(\.linkType).reduce(into: [LinkType]()) { if !$0.contains($1) { $0.append($1) } }
        var file = CaptureFileBuilder(
            .pcapng, interfaces: linkTypes.map { CaptureInterface(linkType: Self.number(in: $0)) }
        )
        for fixture in fixtures {
            file.add(fixture.bytes, interface: linkTypes.firstIndex(of: fixture.linkType) ?? 0)
        }
        return file.bytes
    }

    /// The number in a file: 12 is libpcap's for what files number 101.
    private static func number(in linkType: LinkType) -> UInt16 {
        linkType.rawValue == 12 ? 101 : UInt16(linkType.rawValue)
    }

    private static func row(_ fixture: FrameFixture) -> [String] {
        let frame = fixture.decoded()
        let tcp = frame.transport == .tcp && frame.hasTransportHeader
        let udp = frame.transport == .udp && frame.hasTransportHeader
        let sctp = frame.transport == .sctp && frame.hasTransportHeader
        let icmp = frame.hasTransportHeader && !frame.hasPorts
        func when(_ condition: Bool, _ value: some CustomStringConvertible) -> String {
            condition ? value.description : ""
        }
        let digits = String(frame.tcpFlags.rawValue, radix: 16)
        let flags = "0x" + String(repeating: "0", count: 4 - digits.count) + digits
        return [
            when(frame.network == .ipv4, frame.source), when(frame.network == .ipv4, frame.destination),
            // The first header's number, where an authentication header follows.
            when(frame.network == .ipv4, fixture.name.contains("authentication") ? 51 : frame.transport?.rawValue ?? 0),
            when(frame.network == .ipv6, frame.source), when(frame.network == .ipv6, frame.destination),
            when(frame.network == .arp, 1), frame.vlanID?.description ?? "",
            when(tcp, frame.sourcePort), when(tcp, frame.destinationPort), when(tcp, flags),
            when(tcp, frame.tcpSequence), when(tcp, frame.tcpAcknowledgement), when(tcp, frame.tcpWindow),
            when(tcp, frame.tcpHeaderLength), when(tcp && frame.fragment == .none, frame.payloadLength),
            when(udp, frame.sourcePort), when(udp, frame.destinationPort),
            when(udp && frame.fragment == .none, frame.payloadLength + 8) + when(frame.fragment == .first && udp, 68),
            when(icmp && frame.transport == .icmp, frame.icmpType),
            when(icmp && frame.transport == .icmpv6, frame.icmpType),
            when(sctp, frame.sourcePort), when(sctp, frame.destinationPort),
        ]
    }
}
