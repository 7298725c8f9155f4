import SondeDNS

@testable import PcapPlugin

/// What holds for every report, of any file.
enum ReportInvariants {
    /// The rules that the report of a file of `size` uncompressed bytes breaks.
    static func broken(_ report: InspectReport, size: UInt64) -> [String] {
        (file(report, size) + traffic(report) + names(report)).filter { !$0.1 }.map(\.0)
    }

    private static func file(_ report: InspectReport, _ size: UInt64) -> [(String, Bool)] {
        [
            ("a packet takes 16 bytes of the file", report.packets <= size / 16),
            ("no more was captured than is there", report.capturedBytes <= size),
            ("a time makes a duration and a peak", (report.duration == nil) == (report.peakBytesPerSecond == nil)),
            ("a duration is not negative", report.duration ?? 0 >= 0),
            ("a second has not more than all", report.peakBytesPerSecond ?? 0 <= report.bytes),
            ("packets have a link type", report.packets == 0 || !report.linkTypes.isEmpty),
        ]
    }

    private static func traffic(_ report: InspectReport) -> [(String, Bool)] {
        let frames = report.frames
        let ip = frames.ipv4.packets + frames.ipv6.packets
        let tcp = report.tcp.counts
        return [
            ("every packet is IPv4, IPv6 or another", ip + frames.other.packets == report.packets),
            ("bytes are IPv4's, IPv6's or others'", frames.bytes == report.bytes),
            ("a transport is carried by IP", frames.tcp + frames.udp + frames.icmp <= ip),
            ("fragments are IP", frames.fragments <= ip),
            ("frames are broken once", frames.malformed <= report.packets),
            ("what is broken is counted", report.malformed >= frames.malformed),
            ("frames are cut once", frames.truncated <= report.packets),
            ("segments are TCP", tcp.segments <= frames.tcp),
            ("segments are judged once", tcp.allRetransmissions + tcp.outOfOrder <= tcp.segments),
            ("segments have one of both flags", tcp.requests + tcp.acceptances <= tcp.segments),
            ("FIN and RST are of segments", max(tcp.finishes, tcp.resets) <= tcp.segments),
            ("a conversation of TCP has a segment", report.tcp.conversations <= frames.tcp),
            ("a conversation of UDP has a datagram", report.udpConversations <= frames.udp),
        ]
    }

    private static func names(_ report: InspectReport) -> [(String, Bool)] {
        let dns = report.dns
        let time = dns.responseTime
        let timed = time.count ?? 0
        let messages = dns.queries + dns.responses + (report.malformed - min(report.malformed, report.frames.malformed))
        let isOrdered: Bool
        switch (time.minimum, time.median, time.maximum) {
        case (let minimum?, let median?, let maximum?):
            isOrdered = timed > 0 && Double(minimum) <= median && median <= Double(maximum)
        case (nil, nil, nil): isOrdered = timed == 0
        default: isOrdered = false
        }
        return [
            // Over TCP, a message may be nothing but the two bytes of its length.
            ("messages are there", messages <= report.frames.udp + report.capturedBytes / 2),
            ("only a query is unanswered", dns.unanswered <= dns.queries),
            ("a time has a query and a response", timed <= min(dns.queries, dns.responses)),
            ("minimum, median and maximum are in order", isOrdered),
            ("every response has a code", dns.codes.reduce(0) { $0 + $1.count } == dns.responses),
            (
                "a question takes five bytes",
                dns.types.reduce(0) { $0 + $1.count } <= dns.queries + report.capturedBytes / 5
            ),
        ]
    }
}

extension FrameCounts {
    /// Of all frames.
    fileprivate var bytes: UInt64 { ipv4.bytes + ipv6.bytes + other.bytes }
}
