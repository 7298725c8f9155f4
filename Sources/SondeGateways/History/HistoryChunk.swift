internal import SondeDomain

/// Twenty steps of one series in one tier: a row of the file, docs/spec/history.md.
struct HistoryChunk: Hashable {
    /// Why bytes are no chunk that was looked for.
    enum Flaw: Error, Hashable {
        /// They are of the series that had the slot before: what is looked for is absent.
        case foreign
        /// They do not bear their checksum, or have another length.
        case damaged
    }

    private static let headBytes = 16
    private static let valueBytes = 48
    private static let bucketBytes = 4 * (LatencyCounts.bounds.count + 1)

    /// Which chunk of its tier it is.
    let number: Int64
    /// The points, by place.
    private(set) var points: [HistoryPoint?]

    /// A chunk without a reading.
    init(_ number: Int64) {
        self.number = number
        points = Array(repeating: nil, count: Int(HistoryRing.chunkSteps))
    }

    /// The steps that have a reading.
    var steps: [HistoryStep] {
        let first = HistoryRing.firstStep(of: number)
        return points.enumerated().compactMap { place, point in
            point.map { HistoryStep(first &+ Int64(place), $0) }
        }
    }

    /// The point of a step of this chunk.
    subscript(index: Int64) -> HistoryPoint? {
        get { points[HistoryRing.offset(of: index)] }
        set { points[HistoryRing.offset(of: index)] = newValue }
    }

    /// How many bytes the row of a series has.
    static func byteCount(_ shape: HistoryMetric.Shape) -> Int {
        headBytes + Int(HistoryRing.chunkSteps) * (valueBytes + (shape == .distribution ? bucketBytes : 0))
    }

    /// The checksum that every row of a series begins with.
    static func nameChecksum(of series: HistorySeries) -> UInt32 {
        let name = Array("\(series.metric.rawValue)\n\(series.member ?? "")\n\(series.source)".utf8)
        return name.withUnsafeBytes { CRC32C.checksum($0) }
    }

    /// The chunk of a series that bytes hold, of any number.
    init(_ bytes: UnsafeRawBufferPointer, name: UInt32, _ shape: HistoryMetric.Shape) throws(Flaw) {
        var reader = ByteReader(bytes)
        let (head, check) = (reader.number(UInt32.self), reader.number(UInt32.self))
        guard reader.isValid else { throw .damaged }
        // The series that had the slot before has left a whole row, too.
        guard CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[8...]), after: head) == check else {
            throw .damaged
        }
        guard head == name else { throw .foreign }
        guard bytes.count == Self.byteCount(shape) else { throw .damaged }
        self.init(reader.number(Int64.self))
        for place in points.indices { points[place] = Self.point(&reader, shape) }
        guard reader.isValid, reader.remaining == 0 else { throw .damaged }
    }

    /// The row's bytes.
    func bytes(name: UInt32, _ shape: HistoryMetric.Shape) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(name)
        writer.append(UInt32(0))
        writer.append(number)
        for point in points { Self.append(point, shape, to: &writer) }
        let check = writer.withBytes(from: 8) { CRC32C.checksum($0, after: name) }
        writer.set(check, at: 4)
        return Array(writer.bytes)
    }

    private static func append(_ point: HistoryPoint?, _ shape: HistoryMetric.Shape, to writer: inout ByteWriter) {
        let point = point ?? HistoryPoint(0, weight: 0, count: 0)
        for number in [point.average, point.minimum, point.maximum, point.peak ?? .nan, point.last] {
            writer.append(number.bitPattern)
        }
        writer.append(UInt32(clamping: point.weight))
        writer.append(UInt32(clamping: point.count))
        guard shape == .distribution else { return }
        for count in (point.latencies ?? LatencyCounts()).counts { writer.append(count) }
    }

    private static func point(_ reader: inout ByteReader, _ shape: HistoryMetric.Shape) -> HistoryPoint? {
        let numbers = (0..<5).map { _ in Double(bitPattern: reader.number(UInt64.self)) }
        let (weight, count) = (reader.number(UInt32.self), reader.number(UInt32.self))
        var latencies: LatencyCounts?
        if shape == .distribution {
            latencies = LatencyCounts(counts: (0...LatencyCounts.bounds.count).map { _ in reader.number(UInt32.self) })
        }
        guard weight > 0 else { return nil }
        let point = HistoryPoint(
            average: numbers[0], weight: UInt64(weight), minimum: numbers[1], maximum: numbers[2],
            peak: numbers[3].isNaN ? nil : numbers[3], last: numbers[4], count: UInt64(count), latencies: latencies)
        return point.isFinite ? point : nil
    }
}
