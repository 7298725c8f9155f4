extension InspectReport {
    private typealias Line = (name: String, value: String)

    /// For people: one line per count.
    var table: [UInt8] {
        let lines = fileLines + trafficLines + dnsLines + endLines
        let width = (lines.map(\.name.utf8.count).max() ?? 0) + 2
        let text = lines.map { line in
            line.name + String(repeating: " ", count: width - line.name.utf8.count) + line.value + "\n"
        }
        return Array(text.joined().utf8)
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
        if !dns.types.isEmpty { lines.append(("  query types", Self.text(dns.types))) }
        if !dns.codes.isEmpty { lines.append(("  response codes", Self.text(dns.codes))) }
        let time = dns.responseTime
        if let minimum = time.minimum, let median = time.median, let maximum = time.maximum {
            let parts = [Double(minimum), median, Double(maximum)].map(Self.milliseconds)
            lines.append(("  response time", "min \(parts[0]), median \(parts[1]), max \(parts[2]) of \(time.count)"))
        }
        return lines
    }

    private var endLines: [Line] {
        warnings.map { ("inexact", $0) } + (failure.map { [("incomplete", "\($0.code): \($0.message)")] } ?? [])
    }

    /// The most frequent first.
    private static func text(_ counts: [Named]) -> String {
        counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map { "\($0.name) \($0.count)" }
            .joined(separator: ", ")
    }

    /// With three decimals, which is as good as the clock of most captures.
    private static func milliseconds(_ nanoseconds: Double) -> String {
        // More than three weeks is no time of a response.
        guard nanoseconds < 2e15 else { return "over 2000000 s" }
        let micro = Int64(nanoseconds / 1000)
        let fraction = String(micro % 1000 + 1000).dropFirst()
        return "\(micro / 1000).\(fraction) ms"
    }
}
