public import SondeDomain

/// Writes `io.prometheus.write.v2.Request` of Prometheus remote write 2.0, before compression.
///
/// https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/: texts are in one table of symbols, series refer to them. The
/// start of a counter is written in both of its fields, since receivers know one or the other. Histograms are classic,
/// as in 1.0. Documents are left out. In a request of few series, texts and series are in the order in which neighbours have
/// most in common.
public struct RemoteWrite2Encoder: BatchEncoder {
    private typealias Symbol = Int32

    /// What is known of a series: numbers of symbols, which stay the same while the memo is kept.
    ///
    /// Holds no reference, since it is copied for each series of a batch.
    private struct Entry {
        let kind: MetricKind
        let family: HelpSchedule.Family
        let type: UInt8
        let help: Symbol
        let unit: Symbol
        /// Where the three parts of its labels begin and end, names and values in turn.
        let labels: (Int32, Int32, Int32, Int32)

        var first: Range<Int> { Int(labels.0)..<Int(labels.1) }
        var second: Range<Int> { Int(labels.1)..<Int(labels.2) }
        var third: Range<Int> { Int(labels.2)..<Int(labels.3) }
    }

    /// A series of the request, and what it is sorted by: series with equal starts, units and values, which are mostly zeros,
    /// differ in little else.
    private struct Place {
        let index: Int
        let start: Int64
        let unit: Bool
        let value: UInt64
        let labels: Int32

        func precedes(_ other: Place) -> Bool {
            if start != other.start { return start < other.start }
            if unit != other.unit { return other.unit }
            if value != other.value { return value < other.value }
            if labels != other.labels { return labels < other.labels }
            return index < other.index
        }
    }

    /// Up to how many points are sorted: more of them have enough in common anyway, and sorting would cost more than writing.
    private static let mostSorted = 1_000

    private let target: PrometheusTarget
    private var memo = SeriesMemo<Entry?>()
    private var symbols = SymbolTable()
    private var schedule = HelpSchedule()
    /// The symbols of all labels; entries have ranges of it.
    private var labels: [Symbol] = []
    private var rows = SampleRows()
    private var chains = SeriesChains()
    private var resource = Resource()
    private var agent = ""
    /// Where the labels of the row in hand are among the symbols of the request, and how many bytes that takes.
    private var references: [UInt32] = []
    private var referencesLength = 0
    private var series = ByteBuffer()

    /// An encoder for one sink.
    public init(_ target: PrometheusTarget = PrometheusTarget()) {
        self.target = target
    }

    /// Appends a batch; `lines` of the report are samples.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        if batch.resource != resource || batch.identity.agent != agent || memo.isFull || symbols.isFull {
            memo.removeAll()
            symbols.removeAll()
            schedule.removeAll()
            labels.removeAll()
            (resource, agent) = (batch.resource, batch.identity.agent)
        }
        schedule.begin(batch)
        resolve(batch)
        chains.take(batch)
        rows.begin(batch)
        symbols.begin()
        series.removeAll()
        let entries = memo.entries
        var report = EncodingReport(documentsLeftOut: batch.documents.count)
        if batch.entries.count <= Self.mostSorted {
            for place in sorted(entries, batch) { append(entries[place.index], at: place.index, batch, &report) }
        } else {
            for index in entries.indices { append(entries[index], at: index, batch, &report) }
        }
        guard report.lines > 0 else { return report }
        symbols.append(to: &buffer)
        buffer.append(series.bytes)
        return report
    }

    /// The series that have points, in the order in which they are written; sorts their texts.
    private mutating func sorted(_ entries: [Entry?], _ batch: Batch) -> [Place] {
        var places: [Place] = []
        places.reserveCapacity(entries.count)
        for index in entries.indices {
            let first = chains.firstEntry(of: index)
            guard first >= 0 else { continue }
            for place in entries[index].map({ $0.first.lowerBound..<$0.third.upperBound }) ?? 0..<0 {
                _ = symbols.reference(to: labels[place])
            }
            let point = batch.entries[first].point
            let start = batch.series[index].kind == .counter ? point.start : nil
            places.append(
                Place(
                    index: index, start: start?.nanoseconds ?? 0, unit: (entries[index]?.unit ?? 0) > 0,
                    value: point.value.asDouble?.bitPattern ?? 0,
                    labels: entries[index].map { $0.labels.3 - $0.labels.0 } ?? 0))
        }
        symbols.sort()
        places.sort { $0.precedes($1) }
        return places
    }

    /// Appends what a batch has of a series.
    @inline(__always)
    private mutating func append(_ entry: Entry?, at index: Int, _ batch: Batch, _ report: inout EncodingReport) {
        let first = chains.firstEntry(of: index)
        guard first >= 0 else { return }
        guard let entry else {
            report.leftOut &+= chains.count(from: first)
            return
        }
        rows.take(entry.kind, at: index, batch, first: first, chains)
        report.leftOut &+= rows.leftOut
        for row in rows.rows {
            append(row, entry)
            report.lines &+= row.samples.count
        }
    }

    private mutating func resolve(_ batch: Batch) {
        // Taken out: the closure changes them while the memo is changed.
        var (table, places, families) = (symbols, labels, schedule)
        (symbols, labels, schedule) = (SymbolTable(), [], HelpSchedule())
        memo.resolve(batch.series) { [target] series, _ in
            Self.entry(of: series, batch, target, &table, &places, &families)
        }
        (symbols, labels, schedule) = (table, places, families)
    }

    private static func entry(
        of series: Series,
        _ batch: Batch,
        _ target: PrometheusTarget,
        _ symbols: inout SymbolTable,
        _ labels: inout [Symbol],
        _ families: inout HelpSchedule
    ) -> Entry? {
        guard let known = PrometheusSeries(series, batch.resource, target, agent: batch.identity.agent) else {
            return nil
        }
        var ends = [Int32(truncatingIfNeeded: labels.count)]
        for part in known.parts {
            for label in part {
                labels.append(symbols.number(of: label.name))
                labels.append(symbols.number(of: label.value))
            }
            ends.append(Int32(truncatingIfNeeded: labels.count))
        }
        return Entry(
            kind: series.kind, family: families.number(of: known.name.family), type: known.name.type.number,
            help: symbols.number(of: series.meaning), unit: symbols.number(of: known.name.unit),
            labels: (ends[0], ends[1], ends[2], ends[3]))
    }

    /// Appends the `TimeSeries` of a row: one for each start of its samples.
    private mutating func append(_ row: SampleRows.Row, _ entry: Entry) {
        references.removeAll(keepingCapacity: true)
        referencesLength = 0
        refer(to: entry.first)
        if row.part != .whole {
            refer(to: "__name__", row.part.name(of: schedule.name(of: entry.family)))
            refer(to: entry.second)
            if let bound = row.part.bound { refer(to: "le", bound) }
            refer(to: entry.third)
        }
        var from = row.samples.lowerBound
        while from < row.samples.upperBound {
            let start = rows.samples[from].start
            let end = rows.samples[from..<row.samples.upperBound].firstIndex { $0.start != start }
            append(from..<(end ?? row.samples.upperBound), entry, start: start)
            from = end ?? row.samples.upperBound
        }
    }

    /// Appends a `TimeSeries`; its length is computed before, so that nothing is copied.
    private mutating func append(_ samples: Range<Int>, _ entry: Entry, start: Int64) {
        let startLength = start > 0 ? 1 + ByteBuffer.varintLength(UInt64(start)) : 0
        let help = entry.help > 0 && schedule.isDue(entry.family) ? UInt64(symbols.reference(to: entry.help)) : 0
        let unit = entry.unit > 0 ? UInt64(symbols.reference(to: entry.unit)) : 0
        let metadataLength =
            2 + (help > 0 ? 1 + ByteBuffer.varintLength(help) : 0) + (unit > 0 ? 1 + ByteBuffer.varintLength(unit) : 0)
        var length = 1 + ByteBuffer.varintLength(UInt64(referencesLength)) + referencesLength + startLength
        length += 2 + metadataLength
        for sample in rows.samples[samples] {
            length += 12 + ByteBuffer.varintLength(UInt64(bitPattern: sample.time)) + startLength
        }
        let room = 60 + references.count * 5 + samples.count * 34
        let (references, referencesLength, all, type) = (references, referencesLength, rows.samples, entry.type)
        series.append(atMost: room) { fields in
            fields.put(0x2a)
            fields.put(varint: UInt64(length))
            fields.put(0x0a)
            fields.put(varint: UInt64(referencesLength))
            for reference in references { fields.put(varint: UInt64(reference)) }
            // What differs from series to series, the name and the value, lies far apart: snappy copies what is between.
            if start > 0 {
                fields.put(0x30)
                fields.put(varint: UInt64(start))
            }
            fields.put(0x2a)
            fields.put(UInt8(metadataLength))
            fields.put(0x08)
            fields.put(type)
            if help > 0 {
                fields.put(0x18)
                fields.put(varint: help)
            }
            if unit > 0 {
                fields.put(0x20)
                fields.put(varint: unit)
            }
            for sample in all[samples] { Self.put(sample, start: start, startLength, to: &fields) }
        }
    }

    @inline(__always)
    private static func put(
        _ sample: SampleRows.Sample, start: Int64, _ startLength: Int, to fields: inout FieldWriter
    ) {
        let time = UInt64(bitPattern: sample.time)
        fields.put(0x12)
        // Below 128 always: a varint has ten bytes at the most.
        fields.put(UInt8(10 + ByteBuffer.varintLength(time) + startLength))
        fields.put(0x10)
        fields.put(varint: time)
        if start > 0 {
            fields.put(0x18)
            fields.put(varint: UInt64(start))
        }
        fields.put(0x09)
        fields.put(fixed64: sample.value)
    }

    private mutating func refer(to part: Range<Int>) {
        for place in part { refer(to: labels[place]) }
    }

    private mutating func refer(to name: String, _ value: String) {
        refer(to: symbols.number(of: name))
        refer(to: symbols.number(of: value))
    }

    private mutating func refer(to symbol: Symbol) {
        let reference = symbols.reference(to: symbol)
        references.append(reference)
        referencesLength += ByteBuffer.varintLength(UInt64(reference))
    }
}

/// The texts of a request, each once; the empty one is the first.
///
/// Texts have numbers that stay; which of them are in the request in hand, and where, begins anew with each.
struct SymbolTable {
    private static let bound = 1 << 20
    private static let byteBound = 64 << 20

    private var bytes = 0
    private var numbers: [String: Int32] = ["": 0]
    private var texts: [String] = [""]
    /// By what each text is sorted: those of counters apart, and the longer after the shorter.
    private var ranks: [Int] = [0]
    /// Where each text is in the request in hand, and of which request that was said.
    private var places: [(request: UInt64, place: UInt32)] = [(0, 0)]
    private var request: UInt64 = 0
    private var order: [Int32] = []

    /// Whether it should be emptied before the next request.
    var isFull: Bool { texts.count > Self.bound || bytes > Self.byteBound }

    /// Forgets all texts.
    mutating func removeAll() {
        self = SymbolTable()
    }

    /// Begins a request.
    mutating func begin() {
        request &+= 1
        order.removeAll(keepingCapacity: true)
        _ = reference(to: 0)
    }

    /// The number of a text.
    mutating func number(of text: String) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(truncatingIfNeeded: texts.count)
        numbers[text] = number
        texts.append(text)
        ranks.append(text.utf8.count | (text.hasSuffix("_total") ? 1 << 32 : 0))
        bytes += text.utf8.count
        places.append((0, 0))
        return number
    }

    /// The index of a text in the request in hand.
    mutating func reference(to number: Int32) -> UInt32 {
        let index = Int(number)
        if places[index].request == request { return places[index].place }
        let place = UInt32(truncatingIfNeeded: order.count)
        places[index] = (request, place)
        order.append(number)
        return place
    }

    /// Sorts the texts that are in the request so far: one copy of snappy spans the end of a text and the beginning of the
    /// next, if their lengths, which are between, are those of others.
    mutating func sort() {
        order = order.sorted { first, second in
            let (left, right) = (ranks[Int(first)], ranks[Int(second)])
            return left != right ? left < right : places[Int(first)].place < places[Int(second)].place
        }
        for (place, number) in order.enumerated() {
            places[Int(number)].place = UInt32(truncatingIfNeeded: place)
        }
    }

    /// Appends the texts of the request in hand as field 4.
    func append(to buffer: inout ByteBuffer) {
        for number in order { buffer.append(tag: 0x22, texts[Int(number)]) }
    }
}
