internal import Glibc

/// Bytes that are read by offset: a file, or memory.
protocol RandomAccessBytes {
    /// How many bytes there are.
    var byteCount: UInt64 { get }
    /// The bytes from `offset`, or nil when they cannot all be read.
    func read(at offset: UInt64, count: Int) -> [UInt8]?
}

extension [UInt8]: RandomAccessBytes {
    var byteCount: UInt64 { UInt64(endIndex) }

    func read(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, let start = Int(exactly: offset), start <= endIndex, count <= endIndex - start else {
            return nil
        }
        return Array(self[start..<start + count])
    }
}

/// An open file, read piece by piece: a large object is never held in memory, and one that shrinks meanwhile yields a
/// short read instead of the SIGBUS that a mapping would.
struct FileBytes: RandomAccessBytes {
    let descriptor: Int32
    let byteCount: UInt64

    func read(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, offset <= byteCount, UInt64(count) <= byteCount - offset else { return nil }
        guard var position = off_t(exactly: offset) else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = pread(descriptor, rest.baseAddress, rest.count, position)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
                position += off_t(got)
            }
        }.wholeOrNil(count)
    }
}

extension [UInt8] {
    fileprivate func wholeOrNil(_ count: Int) -> [UInt8]? { endIndex == count ? self : nil }

    /// The little-endian integer at `offset`, or nil past the end.
    func littleEndian<Integer: FixedWidthInteger & UnsignedInteger>(_ type: Integer.Type, at offset: Int) -> Integer? {
        let size = Integer.bitWidth / 8
        guard offset >= 0, offset <= endIndex, size <= endIndex - offset else { return nil }
        var value: Integer = 0
        for index in (offset..<offset + size).reversed() { value = value << 8 | Integer(self[index]) }
        return value
    }

    /// The text from `offset` to the next NUL or the end; nil past the end.
    func text(at offset: Int) -> String? {
        guard offset >= 0, offset < endIndex else { return nil }
        return String(decoding: self[offset...].prefix { $0 != 0 }, as: UTF8.self)
    }
}
