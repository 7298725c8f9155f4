internal import Glibc
internal import SondePluginKit

/// Shows whether a stretch of a file still holds the same bytes.
///
/// An inode is no identity: a file system gives the number of a deleted file to the next one at once.
struct Fingerprint: Hashable, Sendable {
    /// How much of a file's beginning is looked at.
    static let headLength = 1_024
    /// How much in front of a reading position is looked at.
    static let seamLength = 64

    static let empty = Fingerprint(hash: 0, length: 0)

    let hash: UInt64
    let length: Int

    init(hash: UInt64, length: Int) {
        self.hash = hash
        self.length = length
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        hash = bytes.isEmpty ? 0 : KeyHash.of(bytes)
        length = bytes.count
    }

    /// The first bytes of an open file, at most ``headLength``; nil when it cannot be read.
    static func head(of descriptor: Int32) -> Fingerprint? {
        read(descriptor, from: 0, length: headLength)
    }

    /// The last bytes in front of `offset`; nil when the file is shorter than that or cannot be read.
    static func seam(of descriptor: Int32, before offset: Int64) -> Fingerprint? {
        let length = Int(min(Int64(seamLength), offset))
        guard let print = read(descriptor, from: offset &- Int64(length), length: length) else { return nil }
        return print.length == length ? print : nil
    }

    /// Whether the file holds these bytes at `offset`.
    func matches(_ descriptor: Int32, at offset: Int64) -> Bool {
        length == 0 || Self.read(descriptor, from: offset, length: length) == self
    }

    private static func read(_ descriptor: Int32, from offset: Int64, length: Int) -> Fingerprint? {
        guard length > 0, length <= headLength, offset >= 0 else { return length == 0 ? .empty : nil }
        return withUnsafeTemporaryAllocation(byteCount: headLength, alignment: 16) { room -> Fingerprint? in
            let count = pread(descriptor, room.baseAddress, length, off_t(offset))
            guard count >= 0 else { return nil }
            return Fingerprint(UnsafeRawBufferPointer(rebasing: room[..<min(count, length)]))
        }
    }
}
