internal import SondeDNS
internal import SondePluginKit
internal import SondeWire

extension InspectReport {
    /// Takes the results of the analysis of all packets.
    mutating func take(_ analysis: borrowing TrafficAnalysis) {
        frames = analysis.frames
        malformed = frames.malformed
        if let flows = analysis.flowCounts {
            tcp = TCP(counts: flows.tcp, conversations: flows.tcpConversations)
            udpConversations = flows.udpConversations
            if flows.evicted > 0 { warnings.append(Self.inexact("flows", flows.evicted, "conversations")) }
        }
        if let messages = analysis.dnsCounts {
            dns = messages.report
            malformed &+= messages.malformed
            if messages.evicted > 0 {
                warnings.append(Self.inexact("DNS transactions", messages.evicted, "unanswered"))
            }
        }
    }

    private static func inexact(_ what: String, _ count: UInt64, _ key: String) -> String {
        "\(count) \(what) were forgotten to stay within the bound of memory: \(key) is not exact"
    }
}

extension TrafficAnalysis {
    /// What a report needs of flows.
    struct FlowCounts {
        let tcp: TCPCounts
        let tcpConversations: UInt64
        let udpConversations: UInt64
        /// Flows that left the table for others.
        let evicted: UInt64
    }

    /// What a report needs of DNS.
    struct DNSCounts {
        let report: InspectReport.DNS
        /// Messages that do not decode, those of multicast DNS and LLMNR as well.
        let malformed: UInt64
        /// Transactions that left the table without an answer, whose answers are not recognized as theirs.
        let evicted: UInt64
    }

    /// The totals of flows, or nil when they are not analysed.
    var flowCounts: FlowCounts? {
        switch flows {
        case .some(let flows): flows.counts
        case .none: nil
        }
    }

    /// The totals of DNS, or nil when it is not analysed.
    var dnsCounts: DNSCounts? {
        switch dns {
        case .some(let dns): dns.counts
        case .none: nil
        }
    }
}

extension FlowTracker {
    fileprivate var counts: TrafficAnalysis.FlowCounts {
        TrafficAnalysis.FlowCounts(
            tcp: totals.tcp,
            tcpConversations: totals.conversations(.tcp),
            udpConversations: totals.conversations(.udp),
            evicted: totals.ended(.evicted)
        )
    }
}

extension DNSMonitor {
    fileprivate var counts: TrafficAnalysis.DNSCounts {
        TrafficAnalysis.DNSCounts(
            report: report,
            malformed: totals.malformed &+ totals.multicast.malformed &+ totals.linkLocal.malformed,
            evicted: transactions.evicted.total &+ transactions.forgotten
        )
    }

    private var report: InspectReport.DNS {
        // A late response is one all the same: nothing in a file is too late.
        let late = totals.lanes.total(.lateResponses)
        let failed = transactions.unanswered.total
        return InspectReport.DNS(
            queries: totals.lanes.total(.queries),
            responses: totals.lanes.total(.responses),
            unanswered: failed > late ? failed &- late : 0,
            codes: totals.codes.all.map { .init(name: DNSResponseCode(rawValue: $0.code).mnemonic, count: $0.count) },
            types: totals.types.all.map { .init(name: DNSType(rawValue: $0.code).mnemonic, count: $0.count) },
            responseTime: totals.latencies.summary ?? ResponseTimeSummary()
        )
    }
}
