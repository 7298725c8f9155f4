internal import SondeEngine

/// A sink's cursor file: two slots in sectors of their own, written in turn where they lie.
struct CursorFile {
    private let file: any OpenFile
    private var generation: UInt64

    /// Opens a cursor; the slot is nil when neither can be read.
    static func open(
        _ path: String,
        _ fileSystem: any FileSystem
    ) throws(FileSystemError) -> (CursorFile, slot: CursorSlot?) {
        let file = try fileSystem.open(path, .update)
        let bytes = try file.readWhole(CursorSlot.fileLength, at: 0)
        let slots = [0, CursorSlot.stride].compactMap { offset in
            bytes.withUnsafeBytes { bytes in
                offset < bytes.count ? CursorSlot(UnsafeRawBufferPointer(rebasing: bytes[offset...])) : nil
            }
        }
        let slot = slots.max { $0.generation < $1.generation }
        return (CursorFile(file: file, generation: slot?.generation ?? 0), slot)
    }

    /// Makes sure of a place that an earlier run may have written without getting to sync it.
    func sync() throws(FileSystemError) {
        try file.syncData()
    }

    /// Makes a cursor in one step: the name is there with the place, or not at all.
    static func create(
        _ path: String,
        next: UInt64,
        cutEnd: UInt64?,
        _ fileSystem: any FileSystem,
        _ synchronization: DiskSpoolSettings.Synchronization
    ) throws(FileSystemError) -> CursorFile {
        let temporary = "\(path).new"
        try? fileSystem.unlink(temporary)
        let file = try fileSystem.open(temporary, .create)
        do throws(FileSystemError) {
            // The room is taken now: a full file system must not stop a sink that drains.
            try file.allocate(Int64(CursorSlot.fileLength))
            var cursor = CursorFile(file: file, generation: 0)
            try cursor.write(next: next, cutEnd: cutEnd, synchronization)
            try fileSystem.rename(temporary, to: path)
            return cursor
        } catch {
            try? fileSystem.unlink(temporary)
            throw error
        }
    }

    /// Whether the file still has its name.
    var isLinked: Bool { (try? file.isLinked()) ?? false }

    /// Writes the older slot.
    mutating func write(
        next: UInt64,
        cutEnd: UInt64?,
        _ synchronization: DiskSpoolSettings.Synchronization
    ) throws(FileSystemError) {
        generation &+= 1
        let slot = CursorSlot(generation: generation, next: next, cutEnd: cutEnd ?? 0)
        try file.writeWhole(slot.bytes, at: Int64(generation % 2) &* Int64(CursorSlot.stride))
        if synchronization != .none { try file.syncData() }
    }
}
