/// One unit of a segment: what was appended together, verified by its checksum.
enum Frame {
    /// What a frame holds.
    enum Kind {
        static let batch: UInt8 = 1
        static let checkpoint: UInt8 = 2
        static let gap: UInt8 = 3
    }

    /// Length, checksum, sequence number and kind.
    static let headLength = 17
    /// The checksum covers what follows it.
    static let checkedFrom = 8
    /// No payload is longer.
    static let maxPayload = 16 << 20

    /// Writes a frame whose payload `body` writes.
    static func write(
        _ kind: UInt8,
        _ sequence: UInt64,
        to writer: inout ByteWriter,
        payload body: (inout ByteWriter) -> Void
    ) {
        let start = writer.count
        writer.append(UInt64(0))
        writer.append(sequence)
        writer.append(kind)
        body(&writer)
        let length = writer.count - start - headLength
        writer.set(UInt32(clamping: length), at: start)
        let checksum = writer.withBytes(from: start + checkedFrom) { CRC32C.checksum($0) }
        writer.set(checksum, at: start + 4)
    }
}

/// The first bytes of a frame.
struct FrameHead {
    let length: Int
    let checksum: UInt32
    let sequence: UInt64
    let kind: UInt8

    /// Reads 17 bytes; nil when they cannot be a frame's.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        let length = reader.number(UInt32.self)
        checksum = reader.number(UInt32.self)
        sequence = reader.number(UInt64.self)
        kind = reader.byte()
        guard reader.isValid, kind != 0, length <= UInt32(Frame.maxPayload) else { return nil }
        self.length = Int(length)
    }
}

/// Numbers that are in no segment, and why.
struct GapRecord: Hashable {
    /// Why numbers are missing.
    enum Reason: UInt8 {
        case overflow = 1
        case damaged = 2
        case expired = 3
        case removed = 4
        case foreign = 5
        case memory = 6
    }

    let reason: UInt8
    let range: SequenceRange

    init(_ reason: Reason, _ range: SequenceRange) {
        self.reason = reason.rawValue
        self.range = range
    }

    /// Reads a payload; nil when it is not one.
    init?(_ payload: UnsafeRawBufferPointer) {
        var reader = ByteReader(payload)
        reason = reader.byte()
        let first = reader.number(UInt64.self)
        let end = reader.number(UInt64.self)
        guard reader.isValid, first < end else { return nil }
        range = SequenceRange(first: first, end: end)
    }

    func write(to writer: inout ByteWriter) {
        writer.append(reason)
        writer.append(range.first)
        writer.append(range.end)
    }
}

/// The byte before each point: the type of its value, and what is equal to the point before.
enum PointTag {
    static let typeMask: UInt8 = 0x03
    static let double: UInt8 = 0
    static let signed: UInt8 = 1
    static let unsigned: UInt8 = 2
    static let histogram: UInt8 = 3
    /// There is a start time.
    static let hasStart: UInt8 = 0x04
    /// It is the start time that was last given.
    static let sameStart: UInt8 = 0x08
    /// The time is that of the point before.
    static let sameTime: UInt8 = 0x10
    /// The series is the one after that of the point before.
    static let nextSeries: UInt8 = 0x20
    /// The series has ended: there is no value, and the type is zero.
    static let end: UInt8 = 0x40
    /// No other bits are in use.
    static let mask: UInt8 = 0x7f
}
