internal import SondeDomain

/// What a segment holds, known without reading it.
struct SegmentSummary: Hashable {
    /// The number of its first point or document.
    let first: UInt64
    /// One past the last.
    var end: UInt64
    /// How many of the numbers are points.
    var points: UInt64 = 0
    /// About what its contents take in memory.
    var weight: Int64 = 0
    /// The times of its points and documents.
    var oldest = Timestamp(nanoseconds: .max)
    /// The times of its points and documents.
    var newest = Timestamp(nanoseconds: .min)
    /// How long the file is.
    var bytes: Int64 = 0
    /// When it was made.
    var created: Timestamp

    init(first: UInt64, created: Timestamp) {
        self.first = first
        end = first
        self.created = created
    }

    var range: SequenceRange { SequenceRange(first: first, end: end) }
    var count: UInt64 { end &- first }
    var documents: UInt64 { count &- min(count, points) }

    /// About what one of its numbers takes in memory.
    var weightPerNumber: Int64 {
        count == 0 ? 1 : max(1, weight / Int64(clamping: count))
    }

    /// Adds the contents of a frame.
    mutating func add(_ contents: FrameContents) {
        end &+= UInt64(contents.points &+ contents.documents)
        points &+= UInt64(contents.points)
        weight &+= contents.weight
        oldest = min(oldest, contents.oldest)
        newest = max(newest, contents.newest)
    }

    func write(to writer: inout ByteWriter) {
        writer.append(first)
        writer.append(end)
        writer.append(points)
        writer.append(weight)
        writer.append(oldest.nanoseconds)
        writer.append(newest.nanoseconds)
        writer.append(bytes)
        writer.append(created.nanoseconds)
    }

    /// How long a summary is.
    static let length = 64

    /// Reads a summary; nil when it is not one.
    init?(_ reader: inout ByteReader) {
        first = reader.number(UInt64.self)
        end = reader.number(UInt64.self)
        points = reader.number(UInt64.self)
        weight = reader.number(Int64.self)
        oldest = Timestamp(nanoseconds: reader.number(Int64.self))
        newest = Timestamp(nanoseconds: reader.number(Int64.self))
        bytes = reader.number(Int64.self)
        created = Timestamp(nanoseconds: reader.number(Int64.self))
        guard reader.isValid, first <= end, bytes >= 0, weight >= 0, points <= end &- first else { return nil }
    }
}

/// What a frame adds to a segment.
struct FrameContents {
    // What a point takes in memory, with its share of array overhead; series are shared and not counted.
    private static let weightPerPoint: Int64 = 80

    var points = 0
    var documents = 0
    /// How many of the points end a series, where it is written.
    var ends = 0
    var weight: Int64 = 0
    /// How long the payload is, where it is written.
    var payload = 0
    var oldest = Timestamp(nanoseconds: .max)
    var newest = Timestamp(nanoseconds: .min)

    @inline(__always)
    mutating func addPoint(_ time: Timestamp) {
        points &+= 1
        weight &+= Self.weightPerPoint
        if time < oldest { oldest = time }
        if time > newest { newest = time }
    }

    mutating func addDocument(bytes: Int, _ time: Timestamp) {
        documents &+= 1
        weight &+= Int64(bytes)
        if time < oldest { oldest = time }
        if time > newest { newest = time }
    }
}
