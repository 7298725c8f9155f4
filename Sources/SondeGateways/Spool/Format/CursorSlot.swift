/// A sink's position in the log; its cursor file has two, written in turn.
struct CursorSlot: Hashable {
    static let length = 84
    /// Each slot has its own sector, so that a torn write damages one.
    static let stride = 512
    static let fileLength = 1_024
    /// `SCUR`.
    private static let magic: UInt32 = 0x5255_4353
    private static let version: UInt16 = 1

    /// The log and the sink of a position: a cursor that was copied or renamed is not valid for another.
    struct Owner: Hashable {
        /// The epoch of the log when the position was written.
        var epoch: String
        /// FNV-1a of the sink's `id`.
        let sink: UInt64

        init(epoch: String, sink id: String) {
            self.epoch = epoch
            sink = Self.fingerprint(id)
        }

        fileprivate init(epoch: String, fingerprint: UInt64) {
            self.epoch = epoch
            sink = fingerprint
        }

        /// FNV-1a with 64 bits.
        static func fingerprint(_ id: String) -> UInt64 {
            id.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        }
    }

    let owner: Owner
    /// Grows with every write; the larger one counts.
    var generation: UInt64
    /// The next number that was not acknowledged.
    var next: UInt64
    /// The last number of the stretch under way; zero: none is.
    var cutEnd: UInt64

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(UInt16(0))
        writer.append(generation)
        writer.append(next)
        writer.append(cutEnd)
        writer.append(contentsOf: owner.epoch.utf8.prefix(SpoolEpoch.length))
        writer.append(owner.sink)
        writer.append(UInt32(0))
        writer.append(writer.withBytes { CRC32C.checksum($0) })
        return Array(writer.bytes)
    }
}

extension CursorSlot {
    /// Reads a slot; nil when it is not one.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.length else { return nil }
        let slot = UnsafeRawBufferPointer(rebasing: bytes[..<Self.length])
        var reader = ByteReader(slot)
        guard reader.number(UInt32.self) == Self.magic, reader.number(UInt16.self) == Self.version else { return nil }
        _ = reader.number(UInt16.self)
        generation = reader.number(UInt64.self)
        next = reader.number(UInt64.self)
        cutEnd = reader.number(UInt64.self)
        let epoch = reader.text(ofLength: SpoolEpoch.length)
        owner = Owner(epoch: epoch, fingerprint: reader.number(UInt64.self))
        _ = reader.number(UInt32.self)
        let checked = UnsafeRawBufferPointer(rebasing: slot[..<(Self.length - 4)])
        guard reader.number(UInt32.self) == CRC32C.checksum(checked) else { return nil }
        guard next > 0, cutEnd == 0 || cutEnd >= next, max(next, cutEnd) < UInt64(Int64.max) else { return nil }
    }
}
