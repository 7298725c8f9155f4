internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

extension SampleSheet {
    /// Adds the totals of DNS on the wire.
    func add(_ dns: borrowing DNSMonitor) {
        for lane in DNSLane.all { add(lane, dns) }
        add(totalsOf: dns.totals)
        let streams = dns.reassembly.counts
        add(DNSMetrics.transactionBytes, .unsigned(UInt64(dns.transactions.byteCount)))
        add(DNSMetrics.streamBytes, .unsigned(UInt64(dns.reassembly.byteCount)))
        add(DNSMetrics.streamMessages, .unsigned(streams.messages))
        add(DNSMetrics.streamGaps, .unsigned(streams.gaps))
        add(DNSMetrics.streamIncomplete, .unsigned(streams.incomplete))
        add(DNSMetrics.streamUnsynchronized, .unsigned(streams.unsynchronized))
        add(DNSMetrics.streamEvicted, .unsigned(streams.evicted))
    }

    private func add(totalsOf totals: borrowing DNSTotals) {
        add(DNSMetrics.malformed, .unsigned(totals.malformed))
        add(DNSMetrics.unreadable, .unsigned(totals.unreadable))
        for server in totals.servers.servers {
            let (address, port) = ("\(server.address)", String(server.port))
            add(
                DNSMetrics.serverQueries, .unsigned(server.queries), name: "\(address) \(port)",
                [Attribute("server.address", address), Attribute("server.port", port)])
        }
        count(DNSMetrics.serverQueries, totals.servers.others, cell: 1, [Attribute("server.address", "other")])
        for (cell, (name, counts)) in [("mdns", totals.multicast), ("llmnr", totals.linkLocal)].enumerated() {
            let attributes = [Attribute("sonde.dns.service", name)]
            count(DNSMetrics.localQueries, counts.queries, cell: cell, attributes)
            count(DNSMetrics.localResponses, counts.responses, cell: cell, attributes)
            count(DNSMetrics.localMalformed, counts.malformed, cell: cell, attributes)
        }
    }

    private func add(_ lane: DNSLane, _ dns: borrowing DNSMonitor) {
        addCounters(lane, dns)
        addMarks(lane, dns.totals)
        addCodes(lane, dns.totals)
        if let histogram = dns.totals.latencies.histogram(lane: lane.index) {
            add(DNSMetrics.duration, .histogram(histogram), cell: lane.index, lane.attributes)
        }
    }

    private func addCounters(_ lane: DNSLane, _ dns: borrowing DNSMonitor) {
        let counters: [(MetricDefinition, DNSCounter)] = [
            (DNSMetrics.queryBytes, .queryBytes), (DNSMetrics.repeated, .repeatedQueries),
            (DNSMetrics.responseBytes, .responseBytes), (DNSMetrics.answered, .answered),
            (DNSMetrics.duplicates, .repeatedResponses), (DNSMetrics.late, .lateResponses),
            (DNSMetrics.unsolicited, .unsolicitedResponses),
        ]
        for (metric, counter) in counters {
            count(metric, dns.totals.lanes[counter, lane], cell: lane.index, lane.attributes)
        }
        count(DNSMetrics.unanswered, dns.transactions.unanswered[lane], cell: lane.index, lane.attributes)
        count(DNSMetrics.evicted, dns.transactions.evicted[lane], cell: lane.index, lane.attributes)
    }

    private func addMarks(_ lane: DNSLane, _ totals: borrowing DNSTotals) {
        let marks: [(MetricDefinition, String, DNSCounter)] = [
            (DNSMetrics.queryMarks, "rd", .recursionDesired), (DNSMetrics.queryMarks, "cd", .checkingDisabled),
            (DNSMetrics.queryMarks, "edns", .ednsQueries), (DNSMetrics.queryMarks, "do", .dnssecQueries),
            (DNSMetrics.queryMarks, "cookie", .cookieQueries), (DNSMetrics.queryMarks, "ecs", .clientSubnetQueries),
            (DNSMetrics.responseMarks, "aa", .authoritative), (DNSMetrics.responseMarks, "tc", .truncated),
            (DNSMetrics.responseMarks, "ra", .recursionAvailable), (DNSMetrics.responseMarks, "ad", .authenticData),
            (DNSMetrics.responseMarks, "edns", .ednsResponses), (DNSMetrics.responseMarks, "ede", .extendedErrors),
        ]
        for (metric, name, counter) in marks {
            let attributes = lane.attributes + [Attribute("sonde.dns.flag", name)]
            count(metric, totals.lanes[counter, lane], cell: lane.cell(counter.rawValue), attributes)
        }
    }

    private func addCodes(_ lane: DNSLane, _ totals: borrowing DNSTotals) {
        for index in 0..<DNSType.attributeCount {
            let attribute = Attribute("sonde.dns.qtype", DNSType.known(at: index)?.attribute ?? "other")
            let number = totals.lanes[typeAt: index, lane]
            count(DNSMetrics.questions, number, cell: lane.cell(index), lane.attributes + [attribute])
        }
        for index in 0..<DNSResponseCode.attributeCount {
            let attribute = Attribute("sonde.dns.rcode", DNSResponseCode.known(at: index)?.attribute ?? "other")
            let number = totals.lanes[codeAt: index, lane]
            count(DNSMetrics.responses, number, cell: lane.cell(index), lane.attributes + [attribute])
        }
        var others: UInt64 = 0
        for number in UInt8(0)..<16 {
            let opcode = DNSOpcode(rawValue: number)
            let queries = totals.lanes[opcode, lane]
            guard opcode.attribute != "other" else {
                others &+= queries
                continue
            }
            let attribute = Attribute("sonde.dns.opcode", opcode.attribute)
            count(DNSMetrics.queries, queries, cell: lane.cell(Int(number)), lane.attributes + [attribute])
        }
        let attribute = Attribute("sonde.dns.opcode", "other")
        count(DNSMetrics.queries, others, cell: lane.cell(16), lane.attributes + [attribute])
    }
}

extension DNSLane {
    /// The attributes that distinguish its series from those of other lanes.
    fileprivate var attributes: [Attribute] {
        [
            Attribute("sonde.dns.role", role.name),
            Attribute("network.transport", transport == .tcp ? "tcp" : "udp"),
            Attribute("network.type", isIPv6 ? "ipv6" : "ipv4"),
        ]
    }

    /// A number for one of up to 256 series of a lane.
    fileprivate func cell(_ number: Int) -> Int { index &* 256 &+ number }
}

extension DNSRole {
    /// The value of the attribute `sonde.dns.role`.
    fileprivate var name: String {
        switch self {
        case .server: "server"
        case .client: "client"
        case .none: "other"
        }
    }
}
