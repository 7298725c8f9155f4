internal import SondeDomain

/// The points of one series of a batch as remote-write samples: one row for a number, one for each bound of a histogram
/// and one each for its sum and count.
///
/// Samples of a row are in time order, one per millisecond: receivers refuse a whole request for any other.
struct SampleRows {
    /// The value of a sample that marks its series as ended, a NaN of its own in Prometheus' `model/value`.
    static let staleMarker: UInt64 = 0x7ff0_0000_0000_0002

    /// One sample.
    struct Sample {
        /// The bits of the double.
        var value: UInt64
        /// Milliseconds since 1970.
        var time: Int64
        /// When the count was zero, in milliseconds since 1970; 0: not known, or no counter.
        var start: Int64
    }

    /// What a row adds to the name of the family.
    enum Part: Hashable {
        case whole
        case bucket(Double)
        case sum
        case count

        /// The series' name in a family.
        func name(of family: String) -> String {
            switch self {
            case .whole: family
            case .bucket: family + "_bucket"
            case .sum: family + "_sum"
            case .count: family + "_count"
            }
        }

        /// The value of `le`; nil: there is none.
        var bound: String? {
            guard case .bucket(let bound) = self else { return nil }
            return PrometheusBound.text(bound)
        }
    }

    /// Some samples of one Prometheus series.
    struct Row {
        let part: Part
        /// Indices into ``SampleRows/samples``.
        let samples: Range<Int>
    }

    private(set) var rows: [Row] = []
    private(set) var samples: [Sample] = []
    /// How many points are in no row, because another one has the same millisecond or the value is none of the kind.
    private(set) var leftOut = 0

    private var histograms = LastHistograms()
    private var points: [MetricPoint] = []

    /// Begins a request.
    mutating func begin(_ batch: Batch) {
        histograms.begin(batch)
    }

    /// Takes the points of the series of that kind at an index, of which there is one at least.
    mutating func take(_ kind: MetricKind, at index: Int, _ batch: Batch, first: Int, _ chains: SeriesChains) {
        rows.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
        leftOut = 0
        if kind == .histogram {
            takeHistograms(batch.series[index].id, batch, first, chains)
        } else {
            takeNumbers(kind, batch, first, chains)
        }
    }

    private mutating func takeNumbers(_ kind: MetricKind, _ batch: Batch, _ first: Int, _ chains: SeriesChains) {
        let isCounter = kind == .counter
        var index = first
        while index >= 0 {
            let time = batch.entries[index].point.time.milliseconds
            if batch.entries[index].point.value.isEnd {
                samples.append(Sample(value: Self.staleMarker, time: time, start: 0))
            } else if let value = batch.entries[index].point.value.asDouble {
                let start = isCounter ? batch.entries[index].point.startMilliseconds : 0
                samples.append(Sample(value: value.bitPattern, time: time, start: start))
            } else {
                leftOut &+= 1
            }
            index = chains.entry(after: index)
        }
        order(from: 0)
        if !samples.isEmpty { rows.append(Row(part: .whole, samples: 0..<samples.count)) }
    }

    private mutating func takeHistograms(_ series: SeriesID, _ batch: Batch, _ first: Int, _ chains: SeriesChains) {
        points.removeAll(keepingCapacity: true)
        // An end says nothing of the bounds.
        var known = histograms.before(series)?.bounds
        var newest: HistogramValue?
        var index = first
        while index >= 0 {
            let point = batch.entries[index].point
            switch point.value {
            case .histogram(let histogram):
                if let last = known, last != histogram.bounds { addRows(last) }
                (known, newest) = (histogram.bounds, histogram)
                points.append(point)
            case .ended: points.append(point)
            default: leftOut &+= 1
            }
            index = chains.entry(after: index)
        }
        addRows(known ?? [])
        if let newest { histograms.take(newest, of: series) }
    }

    /// One row for each part of the histograms collected so far, which have the same bounds.
    private mutating func addRows(_ bounds: [Double]) {
        guard !points.isEmpty else { return }
        // Carried on from bound to bound: a histogram of a plugin may have very many.
        var cumulated = [UInt64](repeating: 0, count: points.count)
        for place in bounds.indices {
            addRow(.bucket(bounds[place])) { index, histogram in
                cumulated[index] &+= histogram.counts[place]
                return cumulated[index]
            }
        }
        addRow(.bucket(.infinity)) { $1.count }
        addRow(.count) { $1.count }
        let from = samples.count
        for point in points {
            switch point.value {
            case .histogram(let histogram):
                guard let sum = histogram.sum else { continue }
                samples.append(
                    Sample(value: sum.bitPattern, time: point.time.milliseconds, start: point.startMilliseconds))
            default: samples.append(Sample(value: Self.staleMarker, time: point.time.milliseconds, start: 0))
            }
        }
        closeRow(.sum, from: from)
        points.removeAll(keepingCapacity: true)
    }

    private mutating func addRow(_ part: Part, _ count: (Int, HistogramValue) -> UInt64) {
        let from = samples.count
        for (index, point) in points.enumerated() {
            if case .histogram(let histogram) = point.value {
                samples.append(
                    Sample(
                        value: Double(count(index, histogram)).bitPattern, time: point.time.milliseconds,
                        start: point.startMilliseconds))
            } else {
                samples.append(Sample(value: Self.staleMarker, time: point.time.milliseconds, start: 0))
            }
        }
        closeRow(part, from: from)
    }

    private mutating func closeRow(_ part: Part, from: Int) {
        let before = leftOut
        order(from: from)
        // A point that is dropped is one point, in whatever number of rows it is missing.
        if part != .bucket(.infinity) { leftOut = before }
        if samples.count > from { rows.append(Row(part: part, samples: from..<samples.count)) }
    }

    /// Puts the samples from `from` on in time order and keeps the last of each millisecond; an end comes after the others.
    private mutating func order(from: Int) {
        guard samples.count > from + 1 else { return }
        var isOrdered = true
        for index in (from + 1)..<samples.count {
            if samples[index].value == Self.staleMarker, samples[index].time <= samples[index - 1].time {
                samples[index].time = samples[index - 1].time &+ 1
            }
            if samples[index].time <= samples[index - 1].time { isOrdered = false }
        }
        guard !isOrdered else { return }
        // Stable: of equal times the last written stays.
        let sorted = samples[from...].enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        var kept: [Sample] = []
        for (_, sample) in sorted {
            if kept.last?.time == sample.time {
                kept[kept.count - 1] = sample
                leftOut &+= 1
            } else {
                kept.append(sample)
            }
        }
        samples.replaceSubrange(from..., with: kept)
    }
}

extension Timestamp {
    /// Milliseconds since 1970, rounded down.
    fileprivate var milliseconds: Int64 {
        nanoseconds / 1_000_000 &- (nanoseconds % 1_000_000 < 0 ? 1 : 0)
    }
}

extension MetricPoint {
    /// The start, if it is known and lies before the point.
    fileprivate var startMilliseconds: Int64 {
        guard let start, start <= time, start.nanoseconds > 0 else { return 0 }
        return start.milliseconds
    }
}
