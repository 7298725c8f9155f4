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
    @inline(always)
    mutating func cut(
        _ bytes: UnsafeRawBufferPointer,
        _ counts: inout TailCounts,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        let count = bytes.count
        var position = 0
        var lines: UInt64 = 0
        // Feeds are looked for in a block at once: a call for each line would cost more.
        var block = 0
        var feeds = Self.feeds(base, block, count)
        while true {
            while feeds == 0, block &+ ByteBlock.wideSize < count {
                block &+= ByteBlock.wideSize
                feeds = Self.feeds(base, block, count)
            }
            guard feeds != 0 else { break }
            let end = block &+ feeds.trailingZeroBitCount
            feeds &= feeds &- 1
            let start = position
            position = end &+ 1
            if isSkipping {
                isSkipping = false
            } else if hand(base + start, end &- start, &counts, body) {
                lines &+= 1
            }
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

    /// A bit for each line feed in the block at `start`, of which there may be less than a whole one.
    @inline(always)
    private static func feeds(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> UInt64 {
        start &+ ByteBlock.wideSize <= count
            ? ByteBlock.places(of: 0x0a, at: base + start) : lastFeeds(base, start, count)
    }

    @inline(never)
    private static func lastFeeds(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> UInt64 {
        var feeds: UInt64 = 0
        for index in 0..<max(min(count &- start, ByteBlock.wideSize), 0)
        where base.load(fromByteOffset: start &+ index, as: UInt8.self) == 0x0a {
            feeds |= 1 &<< UInt64(index)
        }
        return feeds
    }

    @inline(always)
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
