internal import SondeDNS

extension InspectReport {
    private typealias Line = ReportLines.Line

    /// For people: one line per count.
    var table: [UInt8] {
        ReportLines.table(fileLines + trafficLines + dnsLines + endLines)
    }

    private var fileLines: [Line] {
        [
            ("link types", linkTypes.isEmpty ? "none" : linkTypes.joined(separator: ", ")),
            ("packets", "\(packets)"),
            ("bytes", "\(bytes) on the wire, \(capturedBytes) captured"),
            ("duration", duration.map { "\(Self.seconds($0)) s" } ?? "unknown: no packet has a time"),
            ("busiest second", peakBytesPerSecond.map { "\($0) B/s" } ?? "unknown: no packet has a time"),
        ]
    }

    private var trafficLines: [Line] {
        let counts = tcp.counts
        return [
            ("IPv4", "\(frames.ipv4.packets) packets, \(frames.ipv4.bytes) B"),
            ("IPv6", "\(frames.ipv6.packets) packets, \(frames.ipv6.bytes) B"),
            ("other", "\(frames.other.packets) packets"),
            ("fragments", "\(frames.fragments)"),
            ("malformed", "\(malformed)"),
            ("TCP", "\(frames.tcp) packets, \(tcp.conversations) conversations"),
            (
                "",
                "\(counts.requests) SYN, \(counts.acceptances) SYN/ACK, \(counts.finishes) FIN, \(counts.resets) RST, "
                    + "\(counts.allRetransmissions) retransmissions"
            ),
            ("UDP", "\(frames.udp) packets, \(udpConversations) conversations"),
            ("ICMP", "\(frames.icmp) packets"),
        ]
    }

    private var dnsLines: [Line] {
        var lines: [Line] = [
            ("DNS", "\(dns.queries) queries, \(dns.responses) responses, \(dns.unanswered) unanswered")
        ]
        if !dns.types.isEmpty { lines.append(("  query types", ReportLines.text(dns.types))) }
        if !dns.codes.isEmpty { lines.append(("  response codes", ReportLines.text(dns.codes))) }
        if let time = dns.responseTime.text { lines.append(("  response time", time)) }
        return lines
    }

    private var endLines: [Line] {
        warnings.map { ("inexact", $0) } + (failure.map { [("incomplete", "\($0.code): \($0.message)")] } ?? [])
    }
}
