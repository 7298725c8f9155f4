internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// The totals of the log of a resolver so far; bounded for any content.
struct LogTotals: ~Copyable {
    /// Lines of any kind.
    var lines: UInt64 = 0
    /// Lines that the resolver does not write.
    var unparsed: UInt64 = 0
    /// Queries in their own lines, and in lines with their response.
    private(set) var queries: UInt64 = 0
    private(set) var responses: UInt64 = 0
    /// Responses to no query that the log has.
    var unasked: UInt64 = 0
    /// Queries that share the answer to another one.
    var repeated: UInt64 = 0
    var unanswered: UInt64 = 0
    private(set) var dropped: UInt64 = 0
    /// Queries that left the full table before it was known how they ended.
    var evicted: UInt64 = 0
    /// Queries by type, every type by itself.
    private(set) var types = CodeCounts()
    var upstreams = UpstreamCounts()
    /// How long answers took, by where they came from.
    private(set) var latencies: DNSLatencies
    private(set) var top: DNSRanking
    /// Queries that the clients of `top` do not have yet.
    private var waitingClients: ClientTally

    private let lanes: UnsafeMutablePointer<UInt64>
    private let cells: UnsafeMutablePointer<UInt64>
    private let failing: UnsafeMutablePointer<Bool>
    /// Responses by cell that came after their query had been counted as a failure.
    private var lateFailures: [Int: UInt64] = [:]
    private var folder: NameFolder
    private let privacy: NamePrivacy
    private let rule: FailureRule
    private let counting: Counting
    private let seed: UInt64

    /// Whether names and clients are counted one by one.
    enum Counting {
        case totals
        case totalsAndTop
    }

    init(_ settings: LogSettings, seed: UInt64) {
        counting = settings.top > 0 && settings.privacy != .none ? .totalsAndTop : .totals
        let capacity = counting == .totals ? 1 : LogSettings.rankingCapacity
        top = DNSRanking(capacity: capacity)
        waitingClients = ClientTally(placeBits: counting == .totals ? 1 : 12, seed: seed)
        self.seed = seed
        latencies = DNSLatencies(
            lanes: LogEvent.Cache.allCases.count, bounds: LatencyHistogram.resolverBounds, report: settings.report)
        folder = NameFolder(seed: seed)
        privacy = settings.privacy
        rule = settings.failures
        lanes = .allocate(capacity: LogLane.count)
        lanes.initialize(repeating: 0, count: LogLane.count)
        cells = .allocate(capacity: ResponseCell.count)
        cells.initialize(repeating: 0, count: ResponseCell.count)
        failing = .allocate(capacity: ResponseCell.count)
        for cell in ResponseCell.all { (failing + cell.index).initialize(to: settings.failures.counts(cell)) }
    }

    deinit {
        lanes.deallocate()
        cells.deallocate()
        failing.deallocate()
    }
}

extension LogTotals {
    /// Counts a query of a client for a type and a name.
    @inline(always)
    mutating func addQuery(_ transport: LogTransport, _ client: IPAddress?, _ type: UInt16, _ name: LogName) {
        queries &+= 1
        lanes[LogLane(transport, client).index] &+= 1
        if type != 0 { types.add(type) }
        guard counting == .totalsAndTop else { return }
        if name.isKnown { addTop(name) }
        if let client {
            let former = waitingClients.add(client)
            if former.count > 0 { handOn(former) }
        }
    }

    @inline(never)
    private mutating func addTop(_ name: LogName) {
        let (text, hash) = folder.fold(name)
        guard !text.isEmpty else { return addLongName(name) }
        guard let part = privacy.part(of: text) else { return }
        let partHash = part.count == text.count ? hash : part.hash(seed: seed)
        // Of a name that is kept, the number of names knows since it is.
        guard !top.names.addIfKept(part.buffer, hash: partHash) else { return }
        top.names.addNew(part.buffer, hash: partHash)
        top.distinctNames.add(hash: partHash)
    }

    /// A name whose text is too long to be reported is one of the others.
    @inline(never)
    private mutating func addLongName(_ name: LogName) {
        top.names.addUnkept()
        if privacy != .domain { top.distinctNames.add(hash: name.bytes.hash(seed: seed)) }
    }

    @inline(never)
    private mutating func handOn(_ queries: ClientTally.Entry) {
        guard let shown = privacy.client(queries.client) else { return }
        let hash = KeyHash.of(shown.high, shown.low, seed: seed)
        top.distinctClients.add(hash: hash)
        top.add(client: shown, hash: hash, queries: queries.count)
    }

    /// Passes to the ranking of clients what it does not have yet; call it before that is read.
    mutating func gather() {
        guard counting == .totalsAndTop else { return }
        var waiting: [ClientTally.Entry] = []
        waitingClients.drain { waiting.append($0) }
        for queries in waiting { handOn(queries) }
    }

    /// Counts a response, and the name that it failed for.
    @inline(always)
    mutating func addResponse(_ outcome: LogEvent.Outcome, _ name: LogName) {
        let cell = count(outcome)
        if failing[cell.index] { addFailing(name) }
    }

    @inline(always)
    private mutating func count(_ outcome: LogEvent.Outcome) -> ResponseCell {
        responses &+= 1
        let cell = ResponseCell(outcome)
        cells[cell.index] &+= 1
        if outcome.latency <= LogEvent.Outcome.longestLatency {
            latencies.record(nanoseconds: outcome.latency, lane: outcome.cache.index)
        }
        return cell
    }

    /// Counts the response to a query that was counted as unanswered: it fails once.
    mutating func addLateResponse(_ outcome: LogEvent.Outcome, _ name: LogName) {
        let cell = count(outcome)
        guard failing[cell.index] else { return }
        if rule.countsUnanswered { lateFailures[cell.index, default: 0] &+= 1 } else { addFailing(name) }
    }

    /// Counts a query that got no answer.
    mutating func addUnanswered(_ name: LogName) {
        unanswered &+= 1
        if rule.countsUnanswered { addFailing(name) }
    }

    /// Counts a query that was thrown away.
    mutating func addDropped(_ name: LogName) {
        dropped &+= 1
        if rule.countsDropped { addFailing(name) }
    }

    @inline(never)
    private mutating func addFailing(_ name: LogName) {
        guard counting == .totalsAndTop else { return }
        guard name.isKnown else {
            if name.form == .lost { top.failingNames.addUnkept() }
            return
        }
        let (text, _) = folder.fold(name)
        guard !text.isEmpty else { return top.failingNames.addUnkept() }
        if let part = privacy.part(of: text) { top.failingNames.add(part.buffer, hash: part.hash(seed: seed)) }
    }
}

extension LogTotals {
    /// Queries of a lane.
    subscript(lane: LogLane) -> UInt64 { lanes[lane.index] }

    /// Responses of a cell.
    subscript(cell: ResponseCell) -> UInt64 { cells[cell.index] }

    /// Failures among the responses of a cell, of queries that have not failed before.
    func failures(of cell: ResponseCell) -> UInt64 {
        failing[cell.index] ? cells[cell.index] &- (lateFailures[cell.index] ?? 0) : 0
    }

    var countsUnanswered: Bool { rule.countsUnanswered }
    var countsDropped: Bool { rule.countsDropped }

    /// Another interval begins: what is reported per interval has been reported.
    mutating func startInterval() {
        gather()
        top.reset()
    }
}
