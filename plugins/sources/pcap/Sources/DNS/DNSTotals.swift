import SondeDNS
import SondePluginKit
import SondeWire

/// What is counted of DNS messages and transactions; bounded for any input.
struct DNSTotals: ~Copyable {
    /// Numbers by role, transport and family.
    var lanes = DNSLaneTable()
    /// Unicast messages that do not decode.
    var malformed: UInt64 = 0
    /// Unicast messages that were cut before their flags: neither query nor response.
    var unreadable: UInt64 = 0
    /// Multicast DNS.
    var multicast = NameServiceCounts()
    /// Link-local multicast name resolution.
    var linkLocal = NameServiceCounts()
    /// Queries to this host by server.
    var servers: ServerCounts
    /// Questions of queries by type, every type by itself.
    var types = CodeCounts()
    /// Responses by code, every code by itself.
    var codes = CodeCounts()
    /// How long answers took, by lane.
    var latencies: DNSLatencies
    /// Queried names and names that do not exist, in wire form and lower case, and the clients.
    var top: DNSRanking
    /// What all of this is for.
    let report: DNSReport

    /// Totals with `rankingCapacity` keys of each kind, and with times for a report or without.
    init(rankingCapacity: Int, report: DNSReport, ports: [UInt16] = [53]) {
        servers = ServerCounts(ports: ports)
        self.report = report
        top = DNSRanking(capacity: rankingCapacity)
        latencies = DNSLatencies(lanes: DNSLane.count, report: report)
    }
}
