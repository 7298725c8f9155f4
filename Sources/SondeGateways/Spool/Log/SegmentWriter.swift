internal import SondeEngine

/// An open segment that was written to since its last sync.
struct SegmentWriter {
    // What is kept in memory of writes that may still fail; beyond it the file itself is read again.
    private static let pendingBound = 256 << 10
    private static let copyStep: Int64 = 256 << 10

    /// The first number of the segment: its name.
    let first: UInt64
    let file: any OpenFile
    /// How long the file was without contents.
    let emptyLength: Int64
    /// How long the file is.
    private(set) var length: Int64
    /// How much of it survives a power cut.
    private(set) var safeLength: Int64 = 0
    /// One past the last number that survives a power cut.
    private(set) var safeEnd: UInt64
    /// Whether a sync failed, so that this descriptor must not be relied on any more.
    var isInDoubt = false
    private var pending: [UInt8]?

    /// A segment of which nothing is safe yet; `pending` is all of it, nil where that can only be read.
    init(first: UInt64, file: any OpenFile, length: Int64, pending: [UInt8]?) {
        self.first = first
        self.file = file
        self.length = length
        self.pending = pending
        emptyLength = length
        safeEnd = first
    }

    /// How much of it may be lost in a power cut.
    var unsafeLength: Int64 { isInDoubt ? length : length &- safeLength }

    var isSafe: Bool { safeLength == length && !isInDoubt }

    /// Notes bytes that were written at the end.
    mutating func grew(by bytes: UnsafeRawBufferPointer, isKept: Bool) {
        if safeLength == length { pending = isKept ? [] : nil }
        length &+= Int64(bytes.count)
        guard let count = pending?.count else { return }
        if count &+ bytes.count <= Self.pendingBound {
            pending?.append(contentsOf: bytes)
        } else {
            pending = nil
        }
    }

    /// Notes that a sync which began when the file had this length succeeded.
    mutating func becameSafe(length synced: Int64, end: UInt64) {
        let length = min(synced, length)
        guard length > safeLength else { return }
        if let held = pending, safeLength &+ Int64(held.count) == self.length {
            pending = Array(held.dropFirst(Int(clamping: length &- safeLength)))
        } else {
            pending = nil
        }
        safeLength = length
        safeEnd = max(safeEnd, end)
    }

    /// Notes that the file was cut where it could not be read.
    mutating func wasCut(to length: Int64) {
        self.length = length
        safeLength = min(safeLength, length)
        pending = nil
    }

    /// The bytes after the synced ones; nil when they cannot be read.
    func unsafeBytes() -> [UInt8]? {
        if let pending, safeLength &+ Int64(pending.count) == length { return pending }
        guard let bytes = try? file.readWhole(Int(clamping: length &- safeLength), at: safeLength) else { return nil }
        return Int64(bytes.count) == length &- safeLength ? bytes : nil
    }

    /// Writes all of it to another file.
    func copy(to copy: any OpenFile) throws(FileSystemError) {
        guard let rest = unsafeBytes() else { throw FileSystemError(FileSystemError.inputOutput, "pread") }
        var offset: Int64 = 0
        while offset < safeLength {
            let part = try file.readWhole(Int(min(Self.copyStep, safeLength &- offset)), at: offset)
            guard !part.isEmpty else { throw FileSystemError(FileSystemError.inputOutput, "pread") }
            try copy.writeWhole(part, at: offset)
            offset &+= Int64(part.count)
        }
        try copy.writeWhole(rest, at: offset)
    }
}
