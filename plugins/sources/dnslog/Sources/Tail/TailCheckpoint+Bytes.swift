internal import SondeDomain
internal import SondePluginKit

/// Layout: version, time, number of entries, entries, and a hash of all before it; every number little-endian.
extension TailCheckpoint {
    /// Changes with the layout and with the hashes of ``KeyHash``.
    private static let version: UInt8 = 1
    private static let recordSize = 52
    private static let entrySize = 19

    /// At most ``sizeLimit`` bytes: what was read whole is left out where room is short.
    func bytes() -> [UInt8] {
        let settled = sizeWithoutSettled + entries.count * Self.settledLimit * Self.recordSize <= Self.sizeLimit
        var writer = CheckpointWriter()
        writer.append(Self.version, UInt8.self)
        writer.append(time.nanoseconds, Int64.self)
        writer.append(UInt16(clamping: entries.count), UInt16.self)
        for entry in entries.prefix(Int(UInt16.max)) { writer.append(entry, withSettled: settled ? .kept : .leftOut) }
        writer.appendHash()
        return writer.bytes
    }

    private var sizeWithoutSettled: Int {
        entries.reduce(19) { $0 + Self.entrySize + Self.recordSize * (1 + $1.held.count) }
    }

    /// Nil when the bytes are damaged or of another version.
    init?(_ bytes: [UInt8]) {
        guard var reader = CheckpointReader(bytes), reader.next(UInt8.self) == Self.version,
            let time = reader.next(Int64.self), let count = reader.next(UInt16.self)
        else { return nil }
        var entries: [Entry] = []
        for _ in 0..<count {
            guard let entry = reader.nextEntry() else { return nil }
            entries.append(entry)
        }
        guard reader.isAtEnd else { return nil }
        self.init(time: Timestamp(nanoseconds: time), entries: entries)
    }
}

private struct CheckpointWriter {
    enum Settled {
        case kept
        case leftOut
    }

    private(set) var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ value: Number, _: Number.Type) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ entry: TailCheckpoint.Entry, withSettled: Settled) {
        let settled = withSettled == .kept ? entry.settled.suffix(TailCheckpoint.settledLimit) : []
        append(entry.key, UInt64.self)
        append(entry.modified.nanoseconds, Int64.self)
        append(entry.current == nil ? 0 : 1, UInt8.self)
        append(UInt8(clamping: entry.held.count), UInt8.self)
        append(UInt8(clamping: settled.count), UInt8.self)
        if let current = entry.current { append(current) }
        for record in entry.held.prefix(Int(UInt8.max)) { append(record) }
        for record in settled { append(record) }
    }

    private mutating func append(_ record: FileRecord) {
        append(record.identity.device, UInt64.self)
        append(record.identity.inode, UInt64.self)
        append(record.head.hash, UInt64.self)
        append(UInt16(clamping: record.head.length), UInt16.self)
        append(record.seam.hash, UInt64.self)
        append(UInt8(clamping: record.seam.length), UInt8.self)
        append(record.offset, Int64.self)
        append(record.modified.nanoseconds, Int64.self)
        append((record.isSkipping ? 1 : 0) | (record.isAtEnd ? 2 : 0), UInt8.self)
    }

    mutating func appendHash() {
        append(bytes.withUnsafeBytes { KeyHash.of($0) }, UInt64.self)
    }
}

/// Reads what may have been damaged: every answer is nil where the bytes do not hold it.
private struct CheckpointReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    var isAtEnd: Bool { position == bytes.endIndex }

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 8, bytes.count <= TailCheckpoint.sizeLimit else { return nil }
        let body = bytes[..<(bytes.count - 8)]
        let hash = bytes.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard body.withUnsafeBytes({ KeyHash.of($0) }) == hash else { return nil }
        self.bytes = body
        position = body.startIndex
    }

    mutating func next<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard bytes.endIndex - position >= size else { return nil }
        defer { position += size }
        return bytes[position..<(position + size)].reversed().reduce(Number(0)) { value, byte in
            value << 8 | Number(truncatingIfNeeded: byte)
        }
    }

    mutating func nextEntry() -> TailCheckpoint.Entry? {
        guard let key = next(UInt64.self), let modified = next(Int64.self), let hasCurrent = next(UInt8.self),
            hasCurrent <= 1, let heldCount = next(UInt8.self), let settledCount = next(UInt8.self)
        else { return nil }
        guard let current = nextRecords(hasCurrent), let held = nextRecords(heldCount),
            let settled = nextRecords(settledCount)
        else { return nil }
        return TailCheckpoint.Entry(
            key: key,
            modified: Timestamp(nanoseconds: modified),
            current: current.first,
            held: held,
            settled: settled
        )
    }

    private mutating func nextRecords(_ count: UInt8) -> [FileRecord]? {
        var records: [FileRecord] = []
        for _ in 0..<count {
            guard let record = nextRecord() else { return nil }
            records.append(record)
        }
        return records
    }

    private mutating func nextRecord() -> FileRecord? {
        guard let device = next(UInt64.self), let inode = next(UInt64.self), let headHash = next(UInt64.self),
            let headLength = next(UInt16.self), let seamHash = next(UInt64.self), let seamLength = next(UInt8.self),
            let offset = next(Int64.self), let modified = next(Int64.self), let flags = next(UInt8.self)
        else { return nil }
        guard offset >= 0, headLength <= Fingerprint.headLength, flags <= 3,
            Int64(seamLength) == min(Int64(Fingerprint.seamLength), offset)
        else { return nil }
        return FileRecord(
            identity: FileIdentity(device: device, inode: inode),
            head: Fingerprint(hash: headHash, length: Int(headLength)),
            seam: Fingerprint(hash: seamHash, length: Int(seamLength)),
            offset: offset,
            modified: Timestamp(nanoseconds: modified),
            isSkipping: flags & 1 != 0,
            isAtEnd: flags & 2 != 0
        )
    }
}
