import Glibc
import SondeDomain
import SondeEngine
import SondeFormats
import SondeGateways

// history-benchmark write PATH FIRST   appends minute by minute and prints each, until it is killed
// history-benchmark fill PATH SERIES   fills every tier of so many series (30 days), prints sizes and times
// history-benchmark snapshot PATH N    makes N snapshots of a busy host; PATH is not used

/// 2026-01-01T00:00:00Z, a whole number of steps of every tier.
let begin: Int64 = 1_767_225_600

func series(_ number: Int) -> HistorySeries {
    switch number {
    case 0: HistorySeries(.bandwidthReceive, source: "kernel")
    case 1: HistorySeries(.bandwidthTransmit, source: "kernel")
    case 2: HistorySeries(.dnsLatency, source: "wire")
    default: HistorySeries(.connectionsTCP, member: "member\(number)", source: "kernel")
    }
}

func additions(_ count: Int, minute: Int64, minutes: Int64) -> [HistoryAddition] {
    (0..<count).map { number in
        let series = series(number)
        var steps = HistorySteps()
        let first = (begin + minute * 60) / 5
        for index in first..<(first + minutes * 12) {
            var point = HistoryPoint(Double(index % 97) + Double(number), weight: 5_000_000, peak: 100)
            if series.metric.shape == .distribution { point.latencies = LatencyCounts() }
            steps.set(point, at: index)
        }
        return HistoryAddition(series, rank: .standard, steps)
    }
}

func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

func bytes(_ path: String) -> Int64 {
    ["", "-wal", "-shm"].reduce(0) { sum, suffix in
        var status = stat()
        return stat(path + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
}

func write(_ path: String, from first: Int64) throws {
    let store = SQLiteHistoryStore(path: path, maxBytes: nil)
    var minute = first
    while true {
        _ = try store.append(
            additions(5, minute: minute, minutes: 1), at: Timestamp(seconds: begin + minute * 60 + 60))
        print(minute)
        fflush(nil)
        minute += 1
    }
}

func fill(_ path: String, _ count: Int) throws {
    let store = SQLiteHistoryStore(path: path, maxBytes: nil)
    let days: Int64 = 31
    var largest: Int64 = 0
    let started = processorSeconds()
    var commits = 0
    for minute in stride(from: 0, to: days * 1_440, by: 10) {
        _ = try store.append(
            additions(count, minute: minute, minutes: 10), at: Timestamp(seconds: begin + minute * 60 + 600))
        largest = max(largest, bytes(path))
        commits += 1
    }
    let filled = processorSeconds()
    print("series \(count), commits \(commits), CPU \(filled - started) s")
    print("largest \(largest) bytes with log, of \(38 << 20) allowed")
    let now = days * 1_440
    for minute in 0..<20 {
        _ = try store.append(
            additions(count, minute: now + Int64(minute), minutes: 1),
            at: Timestamp(seconds: begin + (now + Int64(minute)) * 60 + 60))
    }
    print("CPU per commit of a minute: \((processorSeconds() - filled) / 20 * 1_000) ms")
    let clock = FixedClock(Timestamp(seconds: begin + (now + 20) * 60))
    let record = RecordHistory(store: store, clock: clock, log: SilentLog())
    for tier in HistoryTier.allCases {
        let before = processorSeconds()
        let query = HistoryQuery(
            metrics: [.bandwidthReceive, .bandwidthTransmit], range: HistoryRange(tier.window, before: clock.wallTime),
            asked: clock.wallTime)
        var points = 0
        for _ in 0..<10 {
            points = try HistoryOf(record)(query, limit: 100).lines.reduce(0) { $0 + $1.points.count }
        }
        print("\(tier.name): \(points) points of 2 series in \((processorSeconds() - before) * 100) ms CPU")
    }
}

/// Forty interfaces, sockets by state, DNS from wire and log, an hour of each.
func snapshot(_ count: Int) {
    let book = SnapshotBook()
    let time = Timestamp(seconds: begin)
    func reading(_ metric: HistoryMetric, _ member: String?, _ source: String) -> HistoryCollector.Reading {
        let observation = HistoryObservation(.held(100_000, peak: 200_000), at: time, held: .seconds(10))
        return .init(
            series: HistorySeries(metric, member: member, source: source), rank: .standard, observation: observation)
    }
    let names = (0..<40).map { "eth\($0)" } + [nil]
    let states = ["listen", "established", "time_wait", "close_wait", "syn_sent", "fin_wait_1", "in_use"]
    let codes = ["noerror", "nxdomain", "servfail", "refused", "other"]
    let kernel =
        names.flatMap { [reading(.bandwidthReceive, $0, "kernel"), reading(.bandwidthTransmit, $0, "kernel")] }
        + states.map { reading(.connectionsTCP, $0, "kernel") } + [reading(.connectionsUDP, "in_use", "kernel")]
    for second in stride(from: Int64(10), through: 3_600, by: 10) {
        let now = MonotonicInstant(nanoseconds: second * 1_000_000_000)
        book.take(kernel, [.init(.uplink("eth0"), value: 1, held: .zero)], of: "kernel", time: time, at: now)
        for (source, view) in [("wire", PluginDescriptor.View.wire), ("log", .log)] {
            let totals: [HistoryMetric] = [.dnsQueries, .dnsResponses, .dnsUnanswered]
            let latency = HistoryCollector.Reading(
                series: HistorySeries(.dnsLatency, source: source), rank: .standard,
                observation: HistoryObservation(
                    .events(LatencyCounts(counts: Array(repeating: 9, count: 19)) ?? LatencyCounts(), mean: 0.001),
                    at: time, held: .seconds(10)))
            let readings =
                totals.map { reading($0, nil, source) } + codes.map { reading(.dnsResponseCodes, $0, source) }
            book.take(
                readings + [latency], [.init(.dns(view), value: 1, held: .zero)], of: source, time: time, at: now)
        }
    }
    let clock = FixedClock(time, MonotonicInstant(nanoseconds: 3_601 * 1_000_000_000))
    let ledger = LossLedger(log: SilentLog())
    let facts = AgentFacts(
        version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
        spool: AgentFacts.Spool(kind: .memory, maxBytes: 1 << 20, overflow: .dropOldest, epoch: "e"))
    let board = StatusBoard(
        facts: facts, spool: MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest), ledger: ledger,
        clock: clock)
    let build = BuildSnapshot(
        book: book, failures: ListFailures(board: board), ledger: ledger, host: "h", clock: clock)
    let before = processorSeconds()
    var bytes = 0
    for _ in 0..<count { bytes = build().document.json.count }
    print("\(bytes) bytes, CPU per snapshot: \((processorSeconds() - before) / Double(count) * 1_000) ms")
}

/// A clock that stands still.
struct FixedClock: Clock {
    let wallTime: Timestamp
    let monotonicTime: MonotonicInstant

    init(_ wall: Timestamp, _ monotonic: MonotonicInstant = MonotonicInstant(nanoseconds: 1)) {
        (wallTime, monotonicTime) = (wall, monotonic)
    }
}

/// Failures end the benchmark, so nothing needs to be reported.
struct SilentLog: EventLog {
    func log(_ level: LogLevel, _ message: String, component: String?) {}
    func log(_ level: LogLevel, _ error: SondeError) {}
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first.flatMap { Int64($0) }) {
case ("write", let path?, let first?): try write(path, from: first)
case ("fill", let path?, let count?): try fill(path, Int(count))
case ("snapshot", _?, let count?): snapshot(Int(count))
default: print("usage: history-benchmark write PATH FIRST | fill PATH SERIES | snapshot PATH COUNT")
}
