internal import SondeEngine

/// A file with the end of the assigned numbers that only memory holds.
///
/// Its space is reserved early. It is written with each append that goes to memory, and synced before a sink is
/// offered any of that: no number is assigned again, and the next start can report what was lost.
final class EndMark: Sendable {
    static let fileLength = 512
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
    /// The file's contents when it was opened; nil: none.
    let found: End?

    /// Opens the file, and makes it where there is none.
    init(_ path: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
        file = try fileSystem.open(path, .openOrCreate)
        found = (try? file.readWhole(Self.length, at: 0)).flatMap { bytes in
            bytes.withUnsafeBytes { Self.end($0) }
        }
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
        writer.append(UInt32(0))
        writer.append(writer.withBytes { CRC32C.checksum($0) })
        try file.writeWhole(writer.bytes, at: 0)
    }

    func sync() throws(FileSystemError) {
        try file.syncData()
    }

    private static func end(_ bytes: UnsafeRawBufferPointer) -> End? {
        guard bytes.count == length else { return nil }
        var reader = ByteReader(bytes)
        guard reader.number(UInt32.self) == magic, reader.number(UInt16.self) == version else { return nil }
        _ = reader.number(UInt16.self)
        let end = reader.number(UInt64.self)
        let epoch = reader.text(ofLength: SpoolEpoch.length)
        _ = reader.number(UInt32.self)
        let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(length - 4)])
        guard reader.number(UInt32.self) == CRC32C.checksum(checked), end < UInt64(Int64.max) else { return nil }
        return End(epoch: epoch, end: end)
    }
}
