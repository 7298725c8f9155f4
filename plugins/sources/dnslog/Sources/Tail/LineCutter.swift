internal import Glibc

/// Cuts bytes into lines.
///
/// A line is the text before a line feed, without a carriage return right before it. It is handed on as it is
/// otherwise: what is no UTF-8 or holds NUL is for the reader of lines to judge. NUL in front of a line is left out: it
/// is the hole that a writer leaves that continues at its old offset after the file was cut short.
struct LineCutter {
    /// The longest line that is handed on.
    let limit: Int
    /// Whether the bytes to come belong to a line that is skipped.
    var isSkipping = false

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    init(limit: Int) {
        self.limit = limit
    }

    /// Hands on the whole lines in `bytes` and returns how many bytes were consumed.
    ///
    /// What is left is the beginning of a line, at most ``limit`` bytes and a line end. Does not allocate.
    @inline(__always)
    mutating func cut(
        _ bytes: UnsafeRawBufferPointer,
        _ counts: inout TailCounts,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var position = 0
        var lines: UInt64 = 0
        while position < bytes.count, let found = memchr(base + position, 0x0a, bytes.count &- position) {
            let end = UnsafeRawPointer(found) - base
            if isSkipping {
                isSkipping = false
            } else if hand(base + position, end &- position, &counts, body) {
                lines &+= 1
            }
            position = end &+ 1
        }
        counts.lines &+= lines
        return settleRest(bytes.count, position, &counts)
    }

    /// Hands on what is after the last line feed, now that nothing can come any more.
    mutating func finish(
        _ bytes: UnsafeRawBufferPointer,
        _ counts: inout TailCounts,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        defer { isSkipping = false }
        guard let base = bytes.baseAddress, !bytes.isEmpty, !isSkipping else { return }
        guard hand(base, bytes.count, &counts, body) else { return }
        counts.lines &+= 1
        counts.unterminated &+= 1
    }

    /// How many bytes at the start of a file are no part of its first line.
    static func markLength(_ bytes: UnsafeRawBufferPointer) -> Int {
        bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    @inline(__always)
    private func hand(
        _ start: UnsafeRawPointer,
        _ length: Int,
        _ counts: inout TailCounts,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var line = UnsafeRawBufferPointer(start: start, count: length)
        if length > 0 {
            if start.load(as: UInt8.self) == 0 { line = Self.withoutHole(line) }
            if start.load(fromByteOffset: length &- 1, as: UInt8.self) == 0x0d {
                line = UnsafeRawBufferPointer(start: line.baseAddress, count: max(line.count &- 1, 0))
            }
        }
        guard line.count <= limit else {
            counts.tooLong &+= 1
            return false
        }
        body(line)
        return true
    }

    private mutating func settleRest(_ count: Int, _ position: Int, _ counts: inout TailCounts) -> Int {
        if isSkipping { return count }
        guard count &- position > limit &+ 1 else { return position }
        counts.tooLong &+= 1
        isSkipping = true
        return count
    }

    @inline(never)
    private static func withoutHole(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line.drop { $0 == 0 })
    }
}
