internal import SondeEngine
internal import Synchronization

/// A file with the end of the assigned numbers that only memory holds.
///
/// Its space is reserved early. It is written with each append that goes to memory, and synced before a sink is
/// offered any of that: no number is assigned again, and the next start can report what was lost. It has two slots,
/// written in turn, so that a torn write leaves the one before. Not for use by several threads at once.
final class EndMark: Sendable {
    static let fileLength = 1_024
    /// Each slot has its own sector.
    private static let stride = 512
    /// `SEND`.
    private static let magic: UInt32 = 0x444e_4553
    private static let version: UInt16 = 1
    private static let length = 60

    /// One past the last assigned number, and its epoch.
    struct End: Hashable {
        var epoch: String
        var end: UInt64
    }

    private let file: any OpenFile
    private let path: String
    private let fileSystem: any FileSystem
    /// Whether its name survives a power cut.
    private let isNamed = Atomic<Bool>(false)
    /// The file's contents when it was opened; nil: none.
    let found: End?
    /// Grows with every write; the larger one counts.
    private let generation: Atomic<UInt32>

    /// Opens the file, and makes it where there is none.
    init(_ path: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
        (self.path, self.fileSystem) = (path, fileSystem)
        file = try fileSystem.open(path, .openOrCreate)
        let bytes = try file.readWhole(Self.fileLength, at: 0)
        let slots = bytes.withUnsafeBytes { bytes in
            [0, Self.stride].compactMap { start in
                Self.slot(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(start).prefix(Self.length)))
            }
        }
        let newest = slots.max { $0.generation < $1.generation }
        found = newest?.end
        generation = Atomic(newest?.generation ?? 0)
        try file.allocate(Int64(Self.fileLength))
    }

    /// Writes the end of the assigned numbers.
    func write(_ end: End) throws(FileSystemError) {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(UInt16(0))
        writer.append(end.end)
        writer.append(contentsOf: end.epoch.utf8.prefix(SpoolEpoch.length))
        let generation = generation.load(ordering: .relaxed) &+ 1
        writer.append(generation)
        writer.append(writer.withBytes { CRC32C.checksum($0) })
        try file.writeWhole(writer.bytes, at: Int64(generation % 2) * Int64(Self.stride))
        self.generation.store(generation, ordering: .relaxed)
    }

    func sync() throws(FileSystemError) {
        try file.syncData()
        guard !isNamed.load(ordering: .relaxed), let slash = path.lastIndex(of: "/") else { return }
        try fileSystem.syncDirectory(String(path[..<slash]))
        isNamed.store(true, ordering: .relaxed)
    }

    private static func slot(_ bytes: UnsafeRawBufferPointer) -> (generation: UInt32, end: End)? {
        guard bytes.count == length else { return nil }
        var reader = ByteReader(bytes)
        guard reader.number(UInt32.self) == magic, reader.number(UInt16.self) == version else { return nil }
        _ = reader.number(UInt16.self)
        let end = reader.number(UInt64.self)
        let epoch = reader.text(ofLength: SpoolEpoch.length)
        let generation = reader.number(UInt32.self)
        let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(length - 4)])
        guard reader.number(UInt32.self) == CRC32C.checksum(checked), end < UInt64(Int64.max) else { return nil }
        return (generation, End(epoch: epoch, end: end))
    }
}
