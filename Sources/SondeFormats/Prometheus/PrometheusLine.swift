internal import SondeDomain

/// The lines of one point.
struct PrometheusLine {
    /// What is after the value.
    enum Time {
        case none
        /// As the text format has it.
        case milliseconds(Timestamp)
        /// As OpenMetrics has it.
        case seconds(Timestamp)
    }

    let name: String
    /// Where the labels are in the arena.
    let labels: Range<Int>
    let time: Time
    /// How many lines were written.
    private(set) var count = 0

    init(name: String, labels: Range<Int>, time: Time) {
        self.name = name
        self.labels = labels
        self.time = time
    }

    /// Appends the lines of a value.
    mutating func append(_ value: SampleValue, _ arena: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
        switch value {
        case .signed(let number):
            open("", arena, to: &buffer)
            buffer.append(decimal: number)
            close(&buffer)
        case .unsigned(let number):
            open("", arena, to: &buffer)
            buffer.append(decimal: number)
            close(&buffer)
        case .double(let number):
            open("", arena, to: &buffer)
            _ = buffer.append(shortest: number)
            close(&buffer)
        case .histogram(let histogram):
            append(histogram, arena, to: &buffer)
        case .ended: break
        }
    }

    /// Appends when a count began, as OpenMetrics has it; `name` without the suffix.
    mutating func append(created start: Timestamp, _ arena: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
        open("_created", arena, to: &buffer)
        buffer.append(seconds: start)
        buffer.append(0x0a)
        count &+= 1
    }

    private mutating func append(
        _ histogram: HistogramValue,
        _ arena: borrowing ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        var cumulated: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            cumulated &+= count
            open("_bucket", bound: bound, arena, to: &buffer)
            buffer.append(decimal: cumulated)
            close(&buffer)
        }
        open("_bucket", bound: .infinity, arena, to: &buffer)
        buffer.append(decimal: histogram.count)
        close(&buffer)
        if let sum = histogram.sum {
            open("_sum", arena, to: &buffer)
            _ = buffer.append(shortest: sum)
            close(&buffer)
        }
        open("_count", arena, to: &buffer)
        buffer.append(decimal: histogram.count)
        close(&buffer)
    }

    /// Writes everything before the value.
    private func open(
        _ suffix: StaticString,
        bound: Double? = nil,
        _ arena: borrowing ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        buffer.append(name)
        buffer.append(literal: suffix)
        if !labels.isEmpty || bound != nil {
            buffer.append(0x7b)
            buffer.append(arena, from: labels.lowerBound, to: labels.upperBound)
            if let bound {
                if !labels.isEmpty { buffer.append(0x2c) }
                buffer.append(literal: "le=\"")
                PrometheusBound.append(bound, to: &buffer)
                buffer.append(0x22)
            }
            buffer.append(0x7d)
        }
        buffer.append(0x20)
    }

    /// Writes everything after the value.
    private mutating func close(_ buffer: inout ByteBuffer) {
        switch time {
        case .none: break
        case .milliseconds(let time):
            buffer.append(0x20)
            buffer.append(decimal: time.wholeMilliseconds)
        case .seconds(let time):
            buffer.append(0x20)
            buffer.append(seconds: time)
        }
        buffer.append(0x0a)
        count &+= 1
    }
}

extension Timestamp {
    fileprivate var wholeMilliseconds: Int64 {
        nanoseconds / 1_000_000 &- (nanoseconds % 1_000_000 < 0 ? 1 : 0)
    }
}

extension ByteBuffer {
    /// Appends `1767225600.123`.
    fileprivate mutating func append(seconds time: Timestamp) {
        let milliseconds = time.wholeMilliseconds
        if milliseconds < 0 { append(0x2d) }
        append(decimal: milliseconds.magnitude / 1_000)
        append(0x2e)
        let rest = milliseconds.magnitude % 1_000
        if rest < 100 { append(0x30) }
        if rest < 10 { append(0x30) }
        append(decimal: rest)
    }
}
