internal import SondeDomain
internal import SondePluginKit

/// Reads what processors count one by one, and adds it up.
final class ProcessorStage {
    /// What can be read here.
    enum Part: String, CaseIterable {
        /// Packets on their way in, of the whole host.
        case softnet
        /// Connection tracking.
        case conntrack
        /// The caches of neighbours, of the whole host.
        case neighbours
    }

    /// Columns by their numbers: text would have to be hashed at every reading.
    private enum Key: Hashable {
        case softnet(Int)
        case processor(Int, column: Int)
        case conntrack(Int)
        case tracker(Int, column: Int)
        case neighbour(AddressFamily, Int)
        case entries, limit, buckets, use
    }

    /// Processors that are reported one by one.
    private static let processorLimit = 64
    private static let scope = Attribute("sonde.scope", "host")

    private let parts: Set<Part>
    private let host: PluginHost
    private let processorTime: () -> Nanoseconds
    private var softnet: ProcessorTable
    private var conntrack: ProcessorTable
    private var caches: [(family: AddressFamily, table: CacheTable)]
    private var settings: ConntrackSettings
    private var series = KeyedSeries<Key>()
    private var pace: WalkPace
    private let softnetMetrics: [ProcessorMetrics.Softnet]
    private var conntrackColumns: NamedColumns

    init(_ view: NamespaceView, _ parts: Set<Part>, budget: Double, limits: TableLimits, host: PluginHost) {
        pace = WalkPace(percent: budget)
        self.parts = parts
        self.host = host
        processorTime = ThreadTime.reader(view.tape)
        let net = "\(view.tables)/net"
        softnet = ProcessorTable("\(net)/softnet_stat", hasNames: false, limit: limits.fileSize, tape: view.tape)
        conntrack = ProcessorTable("\(net)/stat/nf_conntrack", hasNames: true, limit: limits.fileSize, tape: view.tape)
        caches = [(.ipv4, "arp_cache"), (.ipv6, "ndisc_cache")].map { family, name in
            (family, CacheTable("\(net)/stat/\(name)", limit: limits.fileSize, tape: view.tape))
        }
        settings = ConntrackSettings(view)
        softnetMetrics = parts.contains(.softnet) ? ProcessorMetrics.softnet : []
        conntrackColumns = NamedColumns(ProcessorMetrics.conntrackColumns, ProcessorMetrics.conntrack(column:))
    }

    /// What was left out so far.
    func problems(_ problem: InputProblem) -> UInt64 {
        guard problem != .seriesLimit else { return series.refused }
        return caches.reduce(softnet.problems[problem] &+ conntrack.problems[problem]) {
            $0 &+ $1.table.table.problems[problem]
        }
    }

    /// Closes every series: processors are not read any more.
    func close() {
        series.closeAll(host)
    }

    /// Appends everything that is there, at a collection that is repeated every `interval`.
    ///
    /// The rows are as many as the host has processors, up to thousands.
    func read(_ times: ReadingTimes, interval: Nanoseconds, into samples: inout SampleBuffer) {
        let now = host.monotonicTime
        guard !parts.isEmpty, pace.isDue(at: now, interval: interval) else { return }
        let before = processorTime()
        defer { pace.walked(at: now, cost: Nanoseconds(processorTime().value &- before.value)) }
        let start = times.start(of: .snmp, lastReading: nil)
        series.begin()
        if parts.contains(.softnet), softnet.read() { appendSoftnet(start, to: &samples) }
        if parts.contains(.conntrack), conntrack.read() { appendConntrack(start, to: &samples) }
        if parts.contains(.neighbours) {
            for cache in caches where cache.table.table.read() {
                append(cache.family, cache.table, start, to: &samples)
            }
        }
        series.end(host)
    }

    private func appendSoftnet(_ start: Timestamp?, to samples: inout SampleBuffer) {
        // Since Linux 5.10 the thirteenth column is the row's processor; processors that are off have none.
        let processor: (HexadecimalTable, Int) -> Int = { table, row in
            table.number(row: row, column: 12).flatMap { Int(exactly: $0) } ?? row
        }
        let sums = softnet.takeSums(processor)
        let table = softnet.table
        for metric in softnetMetrics where metric.column < table.width {
            let isCounter = metric.sum.kind == .counter
            var now: UInt64 = 0
            for row in 0..<table.rows {
                guard let number = table.number(row: row, column: metric.column) else { continue }
                now &+= number
                guard row < Self.processorLimit else { continue }
                let index = processor(table, row)
                let key = Key.processor(index, column: metric.column)
                add(key, metric.each, number, start, width: .bits32, to: &samples) {
                    [Attribute("cpu.logical_number", String(index)), Self.scope]
                }
            }
            guard table.isWhole else { continue }
            let sum = isCounter ? sums[metric.column] : now
            add(.softnet(metric.column), metric.sum, sum, start, to: &samples) { [Self.scope] }
        }
    }

    private func appendConntrack(_ start: Timestamp?, to samples: inout SampleBuffer) {
        let sums = conntrack.takeSums { $1 }
        conntrackColumns.learn(conntrack.table.names)
        for column in conntrackColumns.columns where conntrack.table.isWhole && column.place < sums.count {
            add(.conntrack(column.number), column.metric, sums[column.place], start, to: &samples) { [] }
        }
        for column in conntrackColumns.columns { appendEach(column, start, to: &samples) }
        // The first column of every row is the same: the entries of the namespace.
        guard conntrack.table.names.first == "entries", let count = conntrack.table.number(row: 0, column: 0) else {
            return
        }
        let known = settings.read()
        let values: [(Key, MetricDefinition, UInt64?)] = [
            (.entries, ProcessorMetrics.conntrackCount, count), (.limit, ProcessorMetrics.conntrackLimit, known.limit),
            (.buckets, ProcessorMetrics.conntrackBuckets, known.buckets),
        ]
        for (key, metric, value) in values {
            if let value { add(key, metric, value, nil, to: &samples) { [] } }
        }
        guard let limit = known.limit, limit > 0 else { return }
        if let handle = series.handle(.use, { host.openSeries(ProcessorMetrics.conntrackUse) }) {
            samples.append(handle, Double(count) / Double(limit))
        }
    }

    /// Rows are in the order of the processors that may be there (`ct_cpu_seq_start`,
    /// net/netfilter/nf_conntrack_standalone.c).
    private func appendEach(_ column: NamedColumns.Column, _ start: Timestamp?, to samples: inout SampleBuffer) {
        // A row that was left out would give its number to the next one.
        guard conntrack.table.isWhole else { return }
        for row in 0..<min(conntrack.table.rows, Self.processorLimit) {
            guard let number = conntrack.table.number(row: row, column: column.place) else { continue }
            let key = Key.tracker(row, column: column.number)
            add(key, ProcessorMetrics.conntrackEach, number, start, width: .bits32, to: &samples) {
                [Attribute("cpu.logical_number", String(row)), Attribute("sonde.conntrack.event", column.name)]
            }
        }
    }

    private func append(
        _ family: AddressFamily,
        _ cache: CacheTable,
        _ start: Timestamp?,
        to samples: inout SampleBuffer
    ) {
        let sums = cache.table.takeSums { $1 }
        cache.columns.learn(cache.table.table.names)
        for column in cache.columns.columns where cache.table.table.isWhole && column.place < sums.count {
            let key = Key.neighbour(family, column.number)
            add(key, column.metric, sums[column.place], start, to: &samples) {
                [family.attribute, Self.scope]
            }
        }
    }

    private func add(
        _ key: Key,
        _ metric: MetricDefinition,
        _ value: UInt64,
        _ start: Timestamp?,
        width: CounterWidth = .bits64,
        to samples: inout SampleBuffer,
        _ attributes: () -> [Attribute]
    ) {
        let isCounter = metric.kind == .counter
        let handle = series.handle(key) {
            host.openSeries(
                metric,
                attributes(),
                start: isCounter ? start : nil,
                width: isCounter ? width : .unknown
            )
        }
        if let handle { samples.append(handle, value) }
    }
}

/// One cache of neighbours; in a separate class, because a list cannot hold what owns a file.
final class CacheTable {
    var table: ProcessorTable
    var columns = NamedColumns(ProcessorMetrics.neighbourColumns, ProcessorMetrics.neighbour(column:))

    init(_ path: String, limit: Int, tape: SourceTape? = nil) {
        table = ProcessorTable(path, hasNames: true, limit: limit, tape: tape)
    }
}
