internal import SondeDomain
internal import SondeEngine

/// Reads batch frames of one segment in order and keeps the series that they define.
struct SpoolFrameDecoder {
    /// What to read of a frame.
    struct Wanted {
        var range: SequenceRange
        var content: SendContent

        static let nothing = Wanted(range: SequenceRange(first: 0, end: 0), content: [])
    }

    /// What frames held.
    struct Output {
        var points: SpooledPoints
        var documents: [Document] = []
        var checkpoint: SpoolCheckpoint?
        /// The index in ``points`` of each series of the segment, -1 where it has none; as far as it is known.
        private var places: [Int32] = []
        /// Whether ``points`` has series of another segment, so that one may be there already.
        private var hasOthers = false

        init(points: SpooledPoints = SpooledPoints()) {
            self.points = points
        }

        /// The times of all that was read.
        var times: [Timestamp] { points.entries.map(\.point.time) + documents.map(\.time) }

        /// What follows is of another segment, which numbers its series anew.
        mutating func beginSegment() {
            places.removeAll(keepingCapacity: true)
            hasOthers = !points.isEmpty
        }

        /// The index in ``points`` of a series of the segment; `series` are all of that.
        @inline(__always)
        fileprivate mutating func place(of index: Int, in series: [Series]) -> Int {
            if index < places.count, places[index] >= 0 { return Int(places[index]) }
            return makePlace(of: index, in: series)
        }

        private mutating func makePlace(of index: Int, in series: [Series]) -> Int {
            if index >= places.count {
                places.append(contentsOf: repeatElement(-1, count: series.count &- places.count))
            }
            let place = hasOthers ? points.index(of: series[index]) : points.add(series[index])
            places[index] = Int32(truncatingIfNeeded: place)
            return place
        }
    }

    /// The series defined so far, by index.
    private(set) var series: [Series] = []
    /// Which of them have ended.
    private var ended: Set<Int> = []
    private let interner: SeriesInterner

    /// No series yet.
    init(_ interner: SeriesInterner) {
        self.interner = interner
    }

    /// The series that have not ended.
    var unended: [Series] { series.indices.lazy.filter { !ended.contains($0) }.map { series[$0] } }

    /// Reads a payload and adds what is wanted to `output`; nil when it is not a batch.
    mutating func decode(
        _ payload: UnsafeRawBufferPointer,
        first: UInt64,
        _ wanted: Wanted,
        to output: inout Output
    ) -> FrameContents? {
        var reader = ByteReader(payload)
        var contents = FrameContents()
        readDefinitions(&reader)
        let numbers = readPoints(&reader, first, wanted, to: &output, &contents)
        readDocuments(&reader, first &+ numbers, wanted, to: &output, &contents)
        switch reader.byte() {
        case 0: output.checkpoint = nil
        case 1: output.checkpoint = SpoolCheckpoint(source: reader.text(), bytes: Array(reader.counted()))
        default: reader.fail()
        }
        guard reader.isValid, reader.remaining == 0 else { return nil }
        return contents
    }

    /// The time of the first point or document of a payload; nil when there is none.
    static func firstTime(in payload: UnsafeRawBufferPointer) -> Timestamp? {
        var reader = ByteReader(payload)
        _ = reader.variable()
        for _ in 0..<reader.count(ofAtLeast: 6) where definition(&reader) == nil { return nil }
        guard reader.count(ofAtLeast: 1) == 0 else {
            var state = PointReader()
            return state.read(&reader) == nil ? nil : Timestamp(nanoseconds: state.time)
        }
        guard reader.count(ofAtLeast: 10) > 0 else { return nil }
        _ = reader.counted()
        let time = Timestamp(nanoseconds: reader.number(Int64.self))
        return reader.isValid ? time : nil
    }

    private mutating func readDefinitions(_ reader: inout ByteReader) {
        let first = reader.variable()
        let count = reader.count(ofAtLeast: 6)
        guard first <= UInt64(series.count) else { return reader.fail() }
        for offset in 0..<count {
            guard let definition = Self.definition(&reader) else { return reader.fail() }
            // A frame that is read again, or that was written again after a failure, defines nothing new.
            if Int(first) &+ offset == series.count { series.append(interner.series(definition)) }
        }
    }

    private static func definition(_ reader: inout ByteReader) -> Series? {
        let source = reader.text()
        let name = reader.text()
        let kind = MetricKind(rawValue: UInt32(reader.byte()))
        let unit = reader.text()
        let attributes = attributes(&reader)
        let labels = attributes.isEmpty && !reader.isValid ? [] : self.attributes(&reader)
        guard reader.isValid, let kind else { return nil }
        return Series(
            id: SeriesID(rawValue: 0), source: source, name: name, kind: kind, unit: unit, attributes: attributes,
            labels: labels)
    }

    private static func attributes(_ reader: inout ByteReader) -> [Attribute] {
        (0..<reader.count(ofAtLeast: 2)).map { _ in Attribute(reader.text(), reader.text()) }
    }

    /// Reads the points and returns how many there are.
    private mutating func readPoints(
        _ reader: inout ByteReader,
        _ first: UInt64,
        _ wanted: Wanted,
        to output: inout Output,
        _ contents: inout FrameContents
    ) -> UInt64 {
        let count = reader.count(ofAtLeast: 1)
        let range = wanted.content.contains(.metrics) ? wanted.range : SequenceRange(first: 0, end: 0)
        var state = PointReader()
        for offset in 0..<count {
            guard let value = state.read(&reader), state.index < series.count else {
                reader.fail()
                break
            }
            if value.isEnd { ended.insert(state.index) } else if !ended.isEmpty { ended.remove(state.index) }
            let time = Timestamp(nanoseconds: state.time)
            contents.addPoint(time)
            let number = first &+ UInt64(offset)
            guard number >= range.first, number < range.end else { continue }
            let place = output.place(of: state.index, in: series)
            let start = state.hasStart ? Timestamp(nanoseconds: state.start) : nil
            output.points.append(value, of: place, at: time, start: start)
        }
        return UInt64(count)
    }

    private func readDocuments(
        _ reader: inout ByteReader,
        _ first: UInt64,
        _ wanted: Wanted,
        to output: inout Output,
        _ contents: inout FrameContents
    ) {
        let range = wanted.content.contains(.snapshots) ? wanted.range : SequenceRange(first: 0, end: 0)
        for offset in 0..<reader.count(ofAtLeast: 10) {
            let schema = reader.counted()
            let time = Timestamp(nanoseconds: reader.number(Int64.self))
            let json = reader.counted()
            guard reader.isValid else { break }
            contents.addDocument(bytes: json.count, time)
            let number = first &+ UInt64(offset)
            guard number >= range.first, number < range.end else { continue }
            output.documents.append(
                Document(schema: String(decoding: schema, as: UTF8.self), time: time, json: Array(json))
            )
        }
    }
}

/// Reads points that are encoded as differences.
private struct PointReader {
    private(set) var time: Int64 = 0
    private(set) var start: Int64 = 0
    private(set) var hasStart = false
    private(set) var index = 0
    private var next: UInt64 = 0

    /// Reads one point; nil when it is not one.
    @inline(__always)
    mutating func read(_ reader: inout ByteReader) -> SampleValue? {
        let tag = reader.byte()
        let number = tag & PointTag.nextSeries != 0 ? next : reader.variable()
        guard tag & ~PointTag.mask == 0, let index = Int(exactly: number) else { return nil }
        self.index = index
        next = number &+ 1
        if tag & PointTag.sameTime == 0 { time = time &+ Variable.signed(reader.variable()) }
        hasStart = tag & PointTag.hasStart != 0
        if hasStart, tag & PointTag.sameStart == 0 { start = start &+ Variable.signed(reader.variable()) }
        let value: SampleValue?
        switch tag & (PointTag.typeMask | PointTag.end) {
        case PointTag.double: value = .double(Double(bitPattern: reader.number(UInt64.self)))
        case PointTag.signed: value = .signed(Variable.signed(reader.variable()))
        case PointTag.unsigned: value = .unsigned(reader.variable())
        case PointTag.histogram: value = histogram(&reader)
        case PointTag.end: value = .ended
        default: value = nil
        }
        return reader.isValid ? value : nil
    }

    private func histogram(_ reader: inout ByteReader) -> SampleValue? {
        let count = reader.count(ofAtLeast: 9)
        let bounds = (0..<count).map { _ in Double(bitPattern: reader.number(UInt64.self)) }
        let counts = (0...count).map { _ in reader.variable() }
        let hasSum = reader.byte()
        guard hasSum <= 1, reader.isValid else { return nil }
        let sum = hasSum == 1 ? Double(bitPattern: reader.number(UInt64.self)) : nil
        return HistogramValue(bounds: bounds, counts: counts, sum: sum).map(SampleValue.histogram)
    }
}
