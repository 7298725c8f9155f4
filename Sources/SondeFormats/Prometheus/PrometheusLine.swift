internal import SondeDomain

/// The lines of one point.
struct PrometheusLine {
    let name: String
    /// Where the labels are in the arena.
    let labels: (start: Int, end: Int)
    /// Nil: lines without a time.
    let time: Timestamp?
    /// How many lines were written.
    private(set) var count = 0

    init(name: String, labels: (start: Int, end: Int), time: Timestamp?) {
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
        if labels.end > labels.start || bound != nil {
            buffer.append(0x7b)
            buffer.append(arena, from: labels.start, to: labels.end)
            if let bound {
                if labels.end > labels.start { buffer.append(0x2c) }
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
        if let time {
            let remainder = time.nanoseconds % 1_000_000
            buffer.append(0x20)
            buffer.append(decimal: time.nanoseconds / 1_000_000 &- (remainder < 0 ? 1 : 0))
        }
        buffer.append(0x0a)
        count &+= 1
    }
}
