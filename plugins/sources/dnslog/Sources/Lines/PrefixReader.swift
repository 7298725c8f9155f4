/// Reads the prefix of each line, and not again where it is as that of a line before.
///
/// Within a second, lines of one program begin alike, but for thousandths, thread and process: a few beginnings are kept. What
/// is kept includes the bytes that decide where the prefix ends.
struct PrefixReader: ~Copyable {
    /// A prefix whose text is kept.
    private struct Kept {
        var prefix = LogPrefix()
        var extent = PrefixExtent()
        /// A bit for each of the first 64 bytes that decides nothing; 0 where a longer text decides.
        var ignored: UInt64 = 0
    }

    private static let longest = 120
    private static let stride = 128
    private static let mostKept = 8

    private let texts: UnsafeMutableRawPointer
    private let kept: UnsafeMutablePointer<Kept>
    private var keptCount = 0
    private var nextPlace = 0
    /// The place of the prefix that was met last, when it is kept.
    private var place = 0
    /// The place of the prefix that was met before that.
    private var formerPlace = 0
    private var extent = PrefixExtent()
    /// As of the prefix that was met last, when it is kept.
    private var ignored: UInt64 = 0
    /// Whether the line that was read last begins with a group of Knot Resolver.
    private var isGroup = false
    /// The thousandths that were read last, as they are written.
    private var thousandths = UInt64.max
    private var time = KnownTime()
    /// The prefix of the line that was read last.
    private(set) var prefix = LogPrefix()

    init() {
        texts = .allocate(byteCount: Self.mostKept &* Self.stride, alignment: 16)
        texts.initializeMemory(as: UInt8.self, repeating: 0, count: Self.mostKept &* Self.stride)
        kept = .allocate(capacity: Self.mostKept)
        kept.initialize(repeating: Kept(), count: Self.mostKept)
    }

    deinit {
        texts.deallocate()
        kept.deallocate()
    }

    /// Reads the prefix of `line`; false when it is that of the line before.
    @inline(always)
    mutating func read(_ line: LogBytes) -> Bool {
        if ignored != 0, isSame(line, place, ignored) {
            guard extent.fraction > 0 else { return false }
            let digits = line.word(at: extent.fraction) & 0xff_ffff
            guard digits != thousandths else { return false }
            if readThousandths(line, place) { return true }
        }
        // Of a group of Knot Resolver and another one before it, there is nothing to read.
        if isGroup, LogPrefix.isGroup(line) { return false }
        return readOther(line)
    }

    @inline(never)
    private mutating func readOther(_ line: LogBytes) -> Bool {
        isGroup = LogPrefix.isGroup(line)
        if isGroup {
            (prefix, extent, ignored) = (LogPrefix(), PrefixExtent(), 0)
        } else if !recall(line) {
            readAnew(line)
        }
        return true
    }

    /// Whether `line` has the kept text of `place` but for what is `ignored`, all of it in the first 64 bytes.
    @inline(always)
    private func isSame(_ line: LogBytes, _ place: Int, _ ignored: UInt64) -> Bool {
        line.count >= ByteBlock.wideSize
            && ByteBlock.places(at: line.base, sameAs: texts + place &* Self.stride) | ignored == .max
            && (kept[place].extent.free == 0 || line[kept[place].extent.free].hexadecimalDigit != nil)
    }

    /// Whether the line, which has the kept prefix of `place` but for thousandths of a second, has them.
    @inline(always)
    private mutating func readThousandths(_ line: LogBytes, _ place: Int) -> Bool {
        let word = line.word(at: kept[place].extent.fraction)
        guard let number = TimeReader.thousandths(word) else { return false }
        prefix = kept[place].prefix
        prefix.time = prefix.time.map { $0 &+ number }
        thousandths = word & 0xff_ffff
        return true
    }

    /// Whether `line` and a kept text are the same from `start` to before `end`, at least eight bytes.
    @inline(always)
    private func isSame(_ line: LogBytes, _ text: UnsafeMutableRawPointer, _ start: Int, _ end: Int) -> Bool {
        // The last bytes first: it is there that those differ that may be meant.
        guard end &- start >= 8, line.count > end, word(line.base, end &- 8) == word(text, end &- 8) else {
            return false
        }
        var index = start
        while index &+ 8 < end {
            guard word(line.base, index) == word(text, index) else { return false }
            index &+= 8
        }
        return true
    }

    @inline(always)
    private func word(_ bytes: UnsafeRawPointer, _ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Whether the prefix of `line` is one that is kept, but for thousandths of a second.
    @inline(always)
    private mutating func recall(_ line: LogBytes) -> Bool {
        // Of two threads, that of the other one. Then the youngest first: those of seconds that are over come no more.
        let former = formerPlace
        if former < keptCount, isKept(line, former), take(line, former) { return true }
        for age in 1...Self.mostKept {
            let other = (nextPlace &- age) & (Self.mostKept &- 1)
            guard other < keptCount else { return false }
            if other != former, isKept(line, other) { return take(line, other) }
        }
        return false
    }

    /// Takes the kept prefix of `place` for `line`, which has it but for thousandths of a second; false where those are none.
    @inline(always)
    private mutating func take(_ line: LogBytes, _ place: Int) -> Bool {
        if kept[place].extent.fraction == 0 {
            prefix = kept[place].prefix
        } else {
            guard readThousandths(line, place) else { return false }
        }
        formerPlace = self.place
        (self.place, extent, ignored) = (place, kept[place].extent, kept[place].ignored)
        return true
    }

    /// Whether the prefix of `line` is the kept one of `place`, but for thousandths of a second.
    @inline(always)
    private func isKept(_ line: LogBytes, _ place: Int) -> Bool {
        let ignored = kept[place].ignored
        if ignored != 0, line.count >= ByteBlock.wideSize { return isSame(line, place, ignored) }
        let extent = kept[place].extent
        let text = texts + place &* Self.stride
        guard extent.fraction > 0 else { return isSame(line, text, 0, extent.end) }
        return isSame(line, text, 0, extent.fraction) && isSame(line, text, extent.fraction &+ 3, extent.end)
    }

    @inline(never)
    private mutating func readAnew(_ line: LogBytes) {
        (extent, ignored) = (PrefixExtent(), 0)
        prefix = LogPrefix(line, &time, &extent)
        guard extent.isWorthKeeping(in: line, longest: Self.longest) else {
            extent = PrefixExtent()
            return
        }
        formerPlace = place
        place = nextPlace
        keptCount = max(keptCount, place &+ 1)
        nextPlace = (nextPlace &+ 1) % Self.mostKept
        (texts + place &* Self.stride).copyMemory(from: line.base, byteCount: extent.end)
        if extent.end < ByteBlock.wideSize {
            ignored = .max &<< UInt64(extent.end)
            if extent.fraction > 0 { ignored |= 0b111 &<< UInt64(extent.fraction) }
            if extent.free > 0, line[extent.free].hexadecimalDigit != nil { ignored |= 1 &<< UInt64(extent.free) }
        }
        kept[place] = Kept(prefix: prefix, extent: extent, ignored: ignored)
        thousandths = .max
        if extent.fraction > 0, let number = TimeReader.thousandths(line.word(at: extent.fraction)) {
            kept[place].prefix.time = prefix.time.map { $0 &- number }
        }
    }
}
