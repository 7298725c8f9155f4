internal import SondeDomain
internal import SondeFormats

/// How a batch becomes messages.
///
/// The words of the option `format`.
enum MessageFormat: String, CaseIterable, Sendable {
    /// Lines of JSON, as many as fit.
    case json
    /// One `ExportMetricsServiceRequest`.
    case otlp

    /// The header `content-type`.
    var contentType: String {
        switch self {
        case .json: "application/x-ndjson"
        case .otlp: "application/x-protobuf"
        }
    }

    /// What one instance keeps between batches.
    func makeWriter(_ settings: OTLPSettings) -> any MessageWriter {
        switch self {
        case .json: LineWriter()
        case .otlp: RequestWriter(settings)
        }
    }
}

/// Writes batches as messages of one format.
///
/// Used from the instance's thread only.
protocol MessageWriter {
    /// Appends the messages of a batch, from the item `first` on and none longer than `limit`.
    ///
    /// Items are what ``Message/items`` counts.
    mutating func write(_ batch: Batch, from first: Int, limit: Int, into body: inout ByteBuffer) throws(Oversize)
        -> WrittenBatch
}

/// One sample alone is longer than a message may be.
struct Oversize: Error {
    let bytes: Int
}

/// One message, in the bytes that were written.
struct Message: Hashable, Sendable {
    /// Where its value is.
    let bytes: Range<Int>
    /// Which lines or points of the batch it holds.
    let items: Range<Int>
    /// Lines or data points in it.
    let points: Int
}

/// What was written of a batch.
struct WrittenBatch {
    /// In the order of the batch.
    var messages: [Message] = []
    /// How many items the whole batch has.
    var items = 0
    /// What the format cannot express.
    var leftOut = 0
}

/// Lines of JSON: the items are lines.
struct LineWriter: MessageWriter {
    private var encoder = JSONLineEncoder()

    mutating func write(
        _ batch: Batch, from first: Int, limit: Int, into body: inout ByteBuffer
    ) throws(Oversize) -> WrittenBatch {
        let report = encoder.encode(batch, into: &body)
        var written = WrittenBatch(items: report.lines, leftOut: report.leftOut)
        written.messages = try Self.messages(of: body.bytes, from: first, limit: limit)
        return written
    }

    private static func messages(of bytes: [UInt8], from first: Int, limit: Int) throws(Oversize) -> [Message] {
        var messages: [Message] = []
        // Of the message in hand, and of the lines that are surely in it.
        var (start, end) = (0, 0)
        var (firstLine, line) = (first, 0)
        func close() {
            guard end > start else { return }
            messages.append(
                Message(bytes: start..<end, items: firstLine..<line, points: line - firstLine))
        }
        while end < bytes.count {
            let next = LineEnd.after(end, in: bytes)
            if line < first {
                start = next
            } else if next - start > limit {
                close()
                (start, firstLine) = (end, line)
                guard next - start <= limit else { throw Oversize(bytes: next - start) }
            }
            (end, line) = (next, line + 1)
        }
        close()
        return messages
    }
}

/// Requests of OTLP: the items are the points of the batch.
struct RequestWriter: MessageWriter {
    private var encoder: OTLPEncoder

    init(_ settings: OTLPSettings) {
        encoder = OTLPEncoder(settings)
    }

    mutating func write(
        _ batch: Batch, from first: Int, limit: Int, into body: inout ByteBuffer
    ) throws(Oversize) -> WrittenBatch {
        var written = WrittenBatch(items: batch.entries.count, leftOut: batch.documents.count)
        var waiting = [first..<max(first, batch.entries.count)]
        while let items = waiting.popLast() {
            let start = body.count
            let report = encoder.encode(batch.part(items), into: &body)
            let size = body.count - start
            guard size > limit else {
                written.leftOut &+= report.leftOut
                if size > 0 {
                    written.messages.append(
                        Message(bytes: start..<body.count, items: items, points: report.lines))
                }
                continue
            }
            guard items.count > 1 else { throw Oversize(bytes: size) }
            body.truncate(to: start)
            // The resource is in each part, and series are not equally long: a tenth of room for both.
            let count = min(items.count, max(2, (size &+ size / 10) / limit &+ 1))
            waiting += items.divided(by: count).reversed()
        }
        return written
    }
}

extension Batch {
    /// Some of its points, and no documents.
    fileprivate func part(_ items: Range<Int>) -> Batch {
        guard items.count < entries.count || !documents.isEmpty else { return self }
        // Encoders distinguish requests by the first number of their stretch.
        let first = identity.first &+ UInt64(items.lowerBound)
        return Batch(
            identity: BatchIdentity(
                agent: identity.agent, epoch: identity.epoch, first: first, last: max(first, identity.last)),
            sink: sink, attempt: attempt, resource: resource, series: series, entries: Array(entries[items]))
    }
}

extension Range where Bound == Int {
    /// So many parts of nearly the same length, which are not empty where there are as many numbers.
    fileprivate func divided(by parts: Int) -> [Range<Int>] {
        (0..<parts).map { part in
            lowerBound + count * part / parts..<lowerBound + count * (part + 1) / parts
        }
    }
}
