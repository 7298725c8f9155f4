internal import Glibc

/// Bytes of a log line: the line itself, or a part of it.
///
/// A view: its maker keeps the memory alive and unchanged. Nothing is copied or allocated, and nothing beyond the end
/// is read: there, every byte is 0.
struct LogBytes {
    let base: UnsafeRawPointer
    /// How many bytes there are.
    let count: Int

    @inline(__always)
    init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    /// The bytes of `buffer`.
    @inline(__always)
    init(_ buffer: UnsafeRawBufferPointer) {
        // An empty buffer may have no address; any address will do for a view that reads nothing.
        base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
        count = buffer.count
    }

    /// No bytes.
    static var none: LogBytes { LogBytes(UnsafeRawBufferPointer(start: nil, count: 0)) }

    @inline(__always)
    var isEmpty: Bool { count == 0 }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// The byte at `index`, 0 outside.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        UInt(bitPattern: index) < UInt(bitPattern: count) ? base.load(fromByteOffset: index, as: UInt8.self) : 0
    }

    /// Eight bytes from `index` on, the first one lowest; 0 for those outside.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        guard UInt(bitPattern: index) < UInt(bitPattern: wordCount) else { return lastWord(at: index) }
        return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// At how many places eight bytes begin: one comparison with it, made once for a line, checks both ends.
    @inline(__always)
    var wordCount: Int { count > 7 ? count &- 7 : 0 }

    /// At how many places sixteen bytes begin.
    @inline(__always)
    var blockCount: Int { count > 15 ? count &- 15 : 0 }

    /// The part from `start` to before `end`; empty where there is none.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> LogBytes {
        guard UInt(bitPattern: start) <= UInt(bitPattern: end), UInt(bitPattern: end) <= UInt(bitPattern: count) else {
            return clampedPart(start, end)
        }
        return LogBytes(base: base + start, count: end &- start)
    }

    /// The part from `start` to before `end`, which the caller has checked: 0, `start`, `end` and the count ascend.
    @inline(__always)
    func slice(_ start: Int, _ end: Int) -> LogBytes {
        assert(0 <= start && start <= end && end <= count)
        return LogBytes(base: base + start, count: end &- start)
    }

    @inline(never)
    private func clampedPart(_ start: Int, _ end: Int) -> LogBytes {
        let from = min(max(start, 0), count)
        return LogBytes(base: base + from, count: max(min(end, count) &- from, 0))
    }

    /// The part from `start` on.
    @inline(__always)
    func from(_ start: Int) -> LogBytes { part(start, count) }

    /// Whether `text` is at `index`.
    @inline(__always)
    func has(_ text: StaticString, at index: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index >= 0, length <= count &- index else { return false }
        return memcmp(base + index, text.utf8Start, length) == 0
    }

    /// Whether it is `text` and nothing else.
    @inline(__always)
    func isText(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && has(text) }

    /// Whether both are the same bytes.
    func isSame(as other: LogBytes) -> Bool { count == other.count && memcmp(base, other.base, count) == 0 }

    /// Whether it ends with `text`.
    @inline(__always)
    func ends(_ text: StaticString) -> Bool { has(text, at: count &- text.utf8CodeUnitCount) }

    /// Copies the bytes to `target`, which has room for them: they are few, and a call would cost more.
    @inline(__always)
    func copy(to target: UnsafeMutableRawPointer) {
        guard count >= ByteBlock.size else { return target.copyMemory(from: base, byteCount: count) }
        let last = count &- ByteBlock.size
        ByteBlock(base).store(to: target)
        // The last block overlaps the one before it.
        ByteBlock(base + last).store(to: target + last)
        var index = ByteBlock.size
        while index < last {
            ByteBlock(base + index).store(to: target + index)
            index &+= ByteBlock.size
        }
    }

    @inline(never)
    private func lastWord(at index: Int) -> UInt64 {
        var word: UInt64 = 0
        guard index >= 0, index < count else { return 0 }
        if count >= 8 {
            let last = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            return last &>> UInt64((index &- (count &- 8)) &* 8)
        }
        var place = min(count &- index, 8)
        while place > 0 {
            place &-= 1
            word = word << 8 | UInt64(base.load(fromByteOffset: index &+ place, as: UInt8.self))
        }
        return word
    }
}
