import SondePluginKit
import SondeWire

/// What is counted of DNS messages and transactions; bounded whatever comes.
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
    /// Response times for a report at the end; nil when nobody wants one.
    var responseTimes: ResponseTimes?
    /// Names that are asked for, in wire form and lower case, as far as privacy lets them be counted.
    var names: SpaceSaving
    /// Those who ask.
    var clients: SpaceSaving
    /// Names that do not exist.
    var missingNames: SpaceSaving
    /// How many names were asked for.
    var distinctNames = DistinctCount()
    /// How many clients asked.
    var distinctClients = DistinctCount()
    /// What all of this is for.
    let report: DNSReport
    private let latencies: UnsafeMutablePointer<LatencyHistogram>

    /// Totals with `rankingCapacity` keys of each kind, and with times for a report or without.
    init(rankingCapacity: Int, report: DNSReport, ports: [UInt16] = [53]) {
        servers = ServerCounts(ports: ports)
        self.report = report
        names = SpaceSaving(capacity: rankingCapacity)
        clients = SpaceSaving(capacity: rankingCapacity, keyCapacity: 16)
        missingNames = SpaceSaving(capacity: rankingCapacity)
        responseTimes = report == .responseTimes ? ResponseTimes() : nil
        latencies = .allocate(capacity: DNSLane.count)
        for index in 0..<DNSLane.count { (latencies + index).initialize(to: LatencyHistogram()) }
    }

    deinit {
        latencies.deinitialize(count: DNSLane.count)
        latencies.deallocate()
    }

    /// Counts how long an answer took: by lane, or for the report at the end.
    mutating func record(nanoseconds: UInt64, _ lane: DNSLane) {
        if report == .metrics {
            latencies[lane.index].record(nanoseconds: nanoseconds)
        } else {
            responseTimes?.record(nanoseconds: nanoseconds)
        }
    }

    /// How long the answers of a lane took.
    func withLatency<Result>(_ lane: DNSLane, _ body: (borrowing LatencyHistogram) -> Result) -> Result {
        body(latencies[lane.index])
    }
}

/// What the totals are for.
enum DNSReport {
    /// Metrics as time goes on.
    case metrics
    /// One report at the end, with minimum, median and maximum of the response times.
    case responseTimes
}
