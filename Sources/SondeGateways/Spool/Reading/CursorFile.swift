internal import SondeEngine

/// A sink's cursor file: two slots in separate sectors, written in place in turn.
struct CursorFile {
    /// What was found in a file that has the name of a cursor.
    struct Found {
        let file: CursorFile
        /// The newest position of this sink in this log; nil: there is none that can be read.
        let slot: CursorSlot?
        /// Whether there are positions of another sink or another log.
        let isForeign: Bool
    }

    private let file: any OpenFile
    private let isSynced: Bool
    private var owner: CursorSlot.Owner
    private var generation: UInt64

    /// Opens a sink's cursor; a position is valid when its epoch is one of `epochs`, nil: any is.
    static func open(_ sink: String, _ epochs: Set<String>?, _ folder: SpoolFolder) throws(FileSystemError) -> Found {
        let file = try folder.fileSystem.open(folder.cursor(sink), .update)
        let bytes = try file.readWhole(CursorSlot.fileLength, at: 0)
        let slots = [0, CursorSlot.stride].compactMap { offset in
            bytes.withUnsafeBytes { bytes in
                offset < bytes.count ? CursorSlot(UnsafeRawBufferPointer(rebasing: bytes[offset...])) : nil
            }
        }
        let fingerprint = CursorSlot.Owner.fingerprint(sink)
        let own = slots.filter { $0.owner.sink == fingerprint && epochs?.contains($0.owner.epoch) ?? true }
        let slot = own.max { $0.generation < $1.generation }
        let cursor = CursorFile(
            file: file,
            isSynced: folder.isSynced,
            owner: slot?.owner ?? CursorSlot.Owner(epoch: "", sink: sink),
            generation: slots.map(\.generation).max() ?? 0
        )
        return Found(file: cursor, slot: slot, isForeign: own.count < slots.count)
    }

    /// Syncs a position that an earlier run may have written without a sync, under the log's epoch.
    mutating func adopt(_ slot: CursorSlot, epoch: String) throws(FileSystemError) {
        guard owner.epoch == epoch else {
            owner.epoch = epoch
            return try write(next: slot.next, cutEnd: slot.cutEnd > 0 ? slot.cutEnd : nil)
        }
        if isSynced { try file.syncData() }
    }

    /// Makes a cursor atomically: the name is there with the position, or not at all.
    static func create(
        _ sink: String,
        epoch: String,
        next: UInt64,
        cutEnd: UInt64?,
        _ folder: SpoolFolder
    ) throws(FileSystemError) -> CursorFile {
        let owner = CursorSlot.Owner(epoch: epoch, sink: sink)
        let file = try folder.fileSystem.make(folder.cursor(sink)) { file throws(FileSystemError) in
            // The space is reserved now: a full file system must not stop a sink that drains.
            try file.allocate(Int64(CursorSlot.fileLength))
            var cursor = CursorFile(file: file, isSynced: folder.isSynced, owner: owner, generation: 0)
            try cursor.write(next: next, cutEnd: cutEnd)
        }
        return CursorFile(file: file, isSynced: folder.isSynced, owner: owner, generation: 1)
    }

    /// Whether the file still has its name.
    var isLinked: Bool { (try? file.isLinked()) ?? false }

    /// Writes the older slot.
    mutating func write(next: UInt64, cutEnd: UInt64?) throws(FileSystemError) {
        generation &+= 1
        let slot = CursorSlot(owner: owner, generation: generation, next: next, cutEnd: cutEnd ?? 0)
        try file.writeWhole(slot.bytes, at: Int64(generation % 2) &* Int64(CursorSlot.stride))
        if isSynced { try file.syncData() }
    }
}
