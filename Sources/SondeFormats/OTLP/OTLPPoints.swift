internal import SondeDomain

/// The data points of one metric, as `NumberDataPoint` or `HistogramDataPoint`.
///
/// Fields are in the order of their numbers, as every official library writes them.
struct OTLPPoints {
    /// The points written so far, each a field 1.
    private(set) var bytes = ByteBuffer()
    /// How many there are.
    private(set) var count = 0
    /// How many have no place in the format: another kind of value, or a time before 1970.
    private(set) var leftOut = 0
    private var hasStart = false

    /// Begins a metric.
    mutating func begin(hasStart: Bool) {
        bytes.removeAll()
        (count, leftOut) = (0, 0)
        self.hasStart = hasStart
    }

    /// Appends the points of a series of numbers.
    mutating func takeNumbers(
        _ batch: Batch,
        _ first: Int,
        _ chains: SeriesChains,
        _ attributes: Range<Int>,
        _ arena: borrowing ByteBuffer
    ) {
        var index = first
        var last: Int64 = 0
        while index >= 0 {
            let point = batch.entries[index].point
            let isWritten =
                switch point.value {
                case .signed(let value): append(point, 0x31, UInt64(bitPattern: value), attributes, arena)
                case .unsigned(let value) where value <= Int64.max: append(point, 0x31, value, attributes, arena)
                case .unsigned(let value): append(point, 0x21, Double(value).bitPattern, attributes, arena)
                case .double(let value): value.isFinite && append(point, 0x21, value.bitPattern, attributes, arena)
                case .ended: appendEnd(point.time.after(last), attributes, arena)
                case .histogram: false
                }
            if isWritten { count &+= 1 } else { leftOut &+= 1 }
            last = point.time.nanoseconds
            index = chains.entry(after: index)
        }
    }

    @inline(__always)
    private mutating func append(
        _ point: MetricPoint,
        _ tag: UInt8,
        _ bits: UInt64,
        _ attributes: Range<Int>,
        _ arena: borrowing ByteBuffer
    ) -> Bool {
        guard point.time.nanoseconds > 0 else { return false }
        let start = hasStart ? point.knownStart : 0
        bytes.append(0x0a)
        bytes.append(varint: UInt64((start > 0 ? 27 : 18) &+ attributes.count))
        if start > 0 { bytes.append(tag: 0x11, fixed64: start) }
        bytes.append(tag: 0x19, fixed64: UInt64(bitPattern: point.time.nanoseconds))
        bytes.append(tag: tag, fixed64: bits)
        bytes.append(arena, attributes)
        return true
    }

    private mutating func appendEnd(_ time: Int64, _ attributes: Range<Int>, _ arena: borrowing ByteBuffer) -> Bool {
        guard time > 0 else { return false }
        bytes.append(0x0a)
        bytes.append(varint: UInt64(11 &+ attributes.count))
        bytes.append(tag: 0x19, fixed64: UInt64(bitPattern: time))
        bytes.append(arena, attributes)
        bytes.append(0x40)
        bytes.append(Self.noRecordedValue)
        return true
    }

    // DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK
    private static let noRecordedValue: UInt8 = 1

    /// Appends the points of a series of histograms.
    mutating func takeHistograms(
        _ batch: Batch,
        _ first: Int,
        _ chains: SeriesChains,
        _ attributes: Range<Int>,
        _ arena: borrowing ByteBuffer,
        _ histograms: inout LastHistograms
    ) {
        let series = batch.entries[first].point.series
        var known = histograms.before(series)
        var newest: HistogramValue?
        var index = first
        var last: Int64 = 0
        while index >= 0 {
            let point = batch.entries[index].point
            switch point.value {
            case .histogram(let histogram) where point.time.nanoseconds > 0:
                append(histogram, point.time.nanoseconds, point.knownStart, isEnd: false, attributes, arena)
                (known, newest) = (histogram, histogram)
                count &+= 1
            case .ended where point.time.nanoseconds > 0:
                append(known, point.time.after(last), 0, isEnd: true, attributes, arena)
                count &+= 1
            default: leftOut &+= 1
            }
            last = point.time.nanoseconds
            index = chains.entry(after: index)
        }
        if let newest { histograms.take(newest, of: series) }
    }

    /// Appends one point; an end has the buckets and the sum of the histogram before it, all zero.
    private mutating func append(
        _ histogram: HistogramValue?,
        _ time: Int64,
        _ start: UInt64,
        isEnd: Bool,
        _ attributes: Range<Int>,
        _ arena: borrowing ByteBuffer
    ) {
        let bounds = histogram?.bounds ?? []
        let counts = histogram?.counts ?? []
        var length = 9 + attributes.count + (start > 0 ? 9 : 0) + (isEnd ? 2 : 0)
        if histogram != nil {
            length += 9 + (histogram?.sum == nil ? 0 : 9) + ByteBuffer.fieldLength(counts.count * 8)
            if !bounds.isEmpty { length += ByteBuffer.fieldLength(bounds.count * 8) }
        }
        bytes.append(0x0a)
        bytes.append(varint: UInt64(length))
        if start > 0 { bytes.append(tag: 0x11, fixed64: start) }
        bytes.append(tag: 0x19, fixed64: UInt64(bitPattern: time))
        if let histogram {
            bytes.append(tag: 0x21, fixed64: isEnd ? 0 : histogram.count)
            if let sum = histogram.sum { bytes.append(tag: 0x29, fixed64: isEnd ? 0 : sum.bitPattern) }
            bytes.append(0x32)
            bytes.append(varint: UInt64(counts.count * 8))
            for count in counts { bytes.append(fixed64: isEnd ? 0 : count) }
            if !bounds.isEmpty {
                bytes.append(0x3a)
                bytes.append(varint: UInt64(bounds.count * 8))
                for bound in bounds { bytes.append(fixed64: bound.bitPattern) }
            }
        }
        bytes.append(arena, attributes)
        if isEnd {
            bytes.append(0x50)
            bytes.append(Self.noRecordedValue)
        }
    }
}

extension Timestamp {
    /// Nanoseconds since 1970, a millisecond after `last` at least: receivers that keep milliseconds have one value for each.
    fileprivate func after(_ last: Int64) -> Int64 {
        nanoseconds / 1_000_000 > last / 1_000_000 ? nanoseconds : (last / 1_000_000 &+ 1) &* 1_000_000
    }
}

extension MetricPoint {
    /// The start in nanoseconds since 1970, if it is known and not after the point, else 0.
    fileprivate var knownStart: UInt64 {
        guard let start, start <= time, start.nanoseconds > 0 else { return 0 }
        return UInt64(bitPattern: start.nanoseconds)
    }
}
