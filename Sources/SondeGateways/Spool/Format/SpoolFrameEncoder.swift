internal import SondeDomain
internal import SondeEngine

/// Writes batch frames of one segment at a time, in which every series is defined once.
struct SpoolFrameEncoder {
    /// How many bytes of definitions go with points: half of what a frame may hold.
    static let mostDefinitions = Frame.maxPayload / 2

    /// The series that the segment defines, by index.
    private(set) var series: [Series] = []
    private var indices: [SeriesID: Int] = [:]
    private var order: [Int] = []
    /// Which of them have ended.
    private var ended: Set<Int> = []
    /// The maximum size of their definitions.
    private(set) var definitionBound: Int64 = 0

    /// No series yet.
    init() {}

    /// Adds one frame and returns what it holds.
    ///
    /// Where it has more to define than `definitions` bytes, frames of definitions alone come before it, which mean nothing by
    /// themselves: what is appended together, its checkpoint included, stays one frame.
    mutating func encode(
        _ points: [SpooledPoint],
        _ documents: [Document],
        _ checkpoint: SpoolCheckpoint?,
        first: UInt64,
        definitions: Int = mostDefinitions,
        to writer: inout ByteWriter
    ) -> FrameContents {
        var contents = FrameContents()
        let known = series.count
        define(points)
        let defined = defineAhead(of: known..<series.count, beyond: definitions, first: first, to: &writer)
        let start = writer.count
        Frame.write(Frame.Kind.batch, first, to: &writer) { writer in
            Self.writeDefinitions(series[defined...], to: &writer)
            write(points, to: &writer, &contents)
            write(documents, to: &writer, &contents)
            writer.append(UInt8(checkpoint == nil ? 0 : 1))
            if let checkpoint {
                writer.append(text: checkpoint.source)
                writer.append(counted: checkpoint.bytes)
            }
        }
        contents.payload = writer.count - start - Frame.headLength
        return contents
    }

    /// The series that have not ended, as many as fit in `bound` bytes: a next segment begins with them, so that the newest
    /// has all that a later start may have to end.
    func carried(bound: Int64) -> [Series] {
        var (carried, size): ([Series], Int64) = ([], 0)
        for index in series.indices where ended.isEmpty || !ended.contains(index) {
            size &+= Self.bound(of: series[index])
            guard size <= bound else { break }
            carried.append(series[index])
        }
        return carried
    }

    /// Adds a frame without points that defines series in a segment that has no others; nothing where there are none.
    static func define(_ carried: [Series], first: UInt64, to writer: inout ByteWriter) {
        if !carried.isEmpty { writeDefinitionFrame(carried[...], first: first, to: &writer) }
    }

    /// Begins a segment that has these definitions.
    ///
    /// In the memory of the one before: with many series a new table for each is what makes the heap grow.
    mutating func begin(with carried: [Series]) {
        // A table that one burst of series has made large is not kept for the few that stay.
        let isKept = series.count &- ended.count >= indices.capacity / 4
        series.removeAll(keepingCapacity: isKept)
        indices.removeAll(keepingCapacity: isKept)
        order.removeAll(keepingCapacity: isKept)
        ended.removeAll()
        definitionBound = 0
        for series in carried { _ = index(of: series) }
    }

    /// Adds frames of definitions alone while there are more than `most` bytes; how many series are then defined.
    private func defineAhead(
        of new: Range<Int>, beyond most: Int, first: UInt64, to writer: inout ByteWriter
    ) -> Int {
        var (start, size) = (new.lowerBound, 0)
        for index in new {
            let bound = Int(Self.bound(of: series[index]))
            if index > start, size &+ bound > most {
                Self.writeDefinitionFrame(series[start..<index], first: first, to: &writer)
                (start, size) = (index, 0)
            }
            size &+= bound
        }
        return start
    }

    private static func writeDefinitionFrame(
        _ definitions: ArraySlice<Series>, first: UInt64, to writer: inout ByteWriter
    ) {
        Frame.write(Frame.Kind.batch, first, to: &writer) { writer in
            writeDefinitions(definitions, to: &writer)
            // No points, documents or checkpoint.
            writer.append(contentsOf: [0, 0, 0])
        }
    }

    /// Notes that the frame of these points, the last that was encoded, was written.
    mutating func wrote(_ points: [SpooledPoint], _ contents: FrameContents) {
        guard contents.ends > 0 || !ended.isEmpty else { return }
        for (point, index) in zip(points, order) {
            if point.value.isEnd { ended.insert(index) } else { ended.remove(index) }
        }
    }

    /// How many of its series have ended.
    var endedCount: Int { ended.count }

    /// The series that have not ended.
    var unended: [Series] {
        ended.isEmpty ? series : series.indices.lazy.filter { !ended.contains($0) }.map { series[$0] }
    }

    /// Forgets definitions whose frame was not written.
    mutating func forget(after count: Int) {
        for series in series[min(count, series.count)...] {
            indices[series.id] = nil
            definitionBound &-= Self.bound(of: series)
        }
        series.removeLast(max(0, series.count - count))
    }

    /// No definition of a series is longer.
    private static func bound(of series: Series) -> Int64 {
        let texts = series.source.utf8.count &+ series.name.utf8.count &+ series.unit.utf8.count
        return (series.attributes + series.labels).reduce(Int64(texts &+ 51)) { sum, pair in
            sum &+ Int64(20 &+ pair.name.utf8.count &+ pair.value.utf8.count)
        }
    }

    private mutating func define(_ points: [SpooledPoint]) {
        order.removeAll(keepingCapacity: true)
        order.reserveCapacity(points.count)
        var next = 0
        // By place: a copy of a point counts references.
        for place in points.indices {
            // Collections are in the order in which their series were defined: then no look-up is needed.
            let isNext = next < series.count && series[next] === points[place].series
            let index = isNext ? next : self.index(of: points[place].series)
            order.append(index)
            next = index &+ 1
        }
    }

    private mutating func index(of series: Series) -> Int {
        if let index = indices[series.id] { return index }
        let index = self.series.count
        indices[series.id] = index
        self.series.append(series)
        definitionBound &+= Self.bound(of: series)
        return index
    }

    private static func writeDefinitions(_ definitions: ArraySlice<Series>, to writer: inout ByteWriter) {
        writer.append(variable: UInt64(definitions.startIndex))
        writer.append(variable: UInt64(definitions.count))
        for series in definitions {
            writer.append(text: series.source)
            writer.append(text: series.name)
            writer.append(UInt8(truncatingIfNeeded: series.kind.rawValue))
            writer.append(text: series.unit)
            write(series.attributes, to: &writer)
            write(series.labels, to: &writer)
        }
    }

    private static func write(_ attributes: [Attribute], to writer: inout ByteWriter) {
        writer.append(variable: UInt64(attributes.count))
        for attribute in attributes {
            writer.append(text: attribute.name)
            writer.append(text: attribute.value)
        }
    }

    private func write(_ points: [SpooledPoint], to writer: inout ByteWriter, _ contents: inout FrameContents) {
        writer.append(variable: UInt64(points.count))
        var state = PointState()
        for place in points.indices {
            let (time, start, index) = (points[place].time, points[place].start, order[place])
            contents.addPoint(time)
            if case .histogram(let value) = points[place].value {
                writer.write(atMost: PointState.maxHead) { state.store(time, start, index, PointTag.histogram, at: $0) }
                write(value, to: &writer)
                continue
            }
            writer.write(atMost: PointState.maxHead + 10) { pointer in
                switch points[place].value {
                case .double(let value):
                    let length = state.store(time, start, index, PointTag.double, at: pointer)
                    (pointer + length).storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
                    return length &+ 8
                case .signed(let value):
                    let length = state.store(time, start, index, PointTag.signed, at: pointer)
                    return length &+ Variable.store(Variable.zigzag(value), at: pointer + length)
                case .unsigned(let value):
                    let length = state.store(time, start, index, PointTag.unsigned, at: pointer)
                    return length &+ Variable.store(value, at: pointer + length)
                case .ended:
                    contents.ends &+= 1
                    return state.store(time, start, index, PointTag.end, at: pointer)
                case .histogram: return 0
                }
            }
        }
    }

    private func write(_ value: HistogramValue, to writer: inout ByteWriter) {
        writer.append(variable: UInt64(value.bounds.count))
        for bound in value.bounds { writer.append(bound.bitPattern) }
        for count in value.counts { writer.append(variable: count) }
        writer.append(UInt8(value.sum == nil ? 0 : 1))
        if let sum = value.sum { writer.append(sum.bitPattern) }
    }

    private func write(_ documents: [Document], to writer: inout ByteWriter, _ contents: inout FrameContents) {
        writer.append(variable: UInt64(documents.count))
        for document in documents {
            contents.addDocument(bytes: document.json.count, document.time)
            writer.append(text: document.schema)
            writer.append(document.time.nanoseconds)
            writer.append(counted: document.json)
        }
    }
}

/// The base of the next point's differences.
private struct PointState {
    /// Tag, series, time and start.
    static let maxHead = 31

    private var time: Int64 = 0
    private var start: Int64 = 0
    private var next = 0

    /// Writes everything but the value and returns its length.
    @inline(__always)
    mutating func store(
        _ observed: Timestamp, _ began: Timestamp?, _ index: Int, _ type: UInt8, at pointer: UnsafeMutableRawPointer
    ) -> Int {
        var tag = type
        var length = 1
        if index == next {
            tag |= PointTag.nextSeries
        } else {
            length &+= Variable.store(UInt64(index), at: pointer + length)
        }
        next = index &+ 1
        if observed.nanoseconds == time {
            tag |= PointTag.sameTime
        } else {
            length &+= Variable.store(Variable.zigzag(observed.nanoseconds &- time), at: pointer + length)
            time = observed.nanoseconds
        }
        if let begin = began?.nanoseconds {
            tag |= PointTag.hasStart
            if begin == start {
                tag |= PointTag.sameStart
            } else {
                length &+= Variable.store(Variable.zigzag(begin &- start), at: pointer + length)
                start = begin
            }
        }
        pointer.storeBytes(of: tag, as: UInt8.self)
        return length
    }
}
