/// Reads the prefix of each line, and not again where it is as that of a line before.
///
/// Within a second, lines of one program begin alike, but for thousandths, thread and process: a few beginnings are kept. What
/// is kept includes the bytes that decide where the prefix ends.
struct PrefixReader: ~Copyable {
    /// A prefix whose text is kept.
    private struct Kept {
        var prefix = LogPrefix()
        var extent = PrefixExtent()
    }

    private static let longest = 120
    private static let mostKept = 8

    private let texts: UnsafeMutableRawPointer
    private let kept: UnsafeMutablePointer<Kept>
    private var keptCount = 0
    private var nextPlace = 0
    /// The place of the prefix that was met last, when it is kept.
    private var place = 0
    private var extent = PrefixExtent()
    private var time = KnownTime()
    /// The prefix of the line that was read last.
    private(set) var prefix = LogPrefix()

    init() {
        texts = .allocate(byteCount: Self.mostKept &* Self.longest, alignment: 8)
        kept = .allocate(capacity: Self.mostKept)
        kept.initialize(repeating: Kept(), count: Self.mostKept)
    }

    deinit {
        texts.deallocate()
        kept.deallocate()
    }

    /// Reads the prefix of `line`; false when it is that of the line before.
    @inline(__always)
    mutating func read(_ line: LogBytes) -> Bool {
        if extent.fraction == 0, isSame(line, texts + place &* Self.longest, 0, extent.end) { return false }
        if !recall(line) { readAnew(line) }
        return true
    }

    /// Whether `line` and a kept text are the same from `start` to before `end`, at least eight bytes.
    @inline(__always)
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

    @inline(__always)
    private func word(_ bytes: UnsafeRawPointer, _ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Whether the prefix of `line` is one that is kept, but for thousandths of a second.
    @inline(never)
    private mutating func recall(_ line: LogBytes) -> Bool {
        // Nearly always the one that was met last.
        if place < keptCount, match(line, place) { return true }
        // The youngest first: those of seconds that are over come no more.
        for age in 1...Self.mostKept {
            let other = (nextPlace &- age) & (Self.mostKept &- 1)
            guard other < keptCount else { return false }
            if other != place, match(line, other) {
                place = other
                return true
            }
        }
        return false
    }

    @inline(__always)
    private mutating func match(_ line: LogBytes, _ place: Int) -> Bool {
        let text = texts + place &* Self.longest
        let extent = kept[place].extent
        guard extent.fraction > 0 else {
            guard isSame(line, text, 0, extent.end) else { return false }
            prefix = kept[place].prefix
            self.extent = extent
            return true
        }
        guard
            isSame(line, text, 0, extent.fraction), isSame(line, text, extent.fraction &+ 3, extent.end),
            let thousandths = TimeReader.thousandths(line.word(at: extent.fraction))
        else { return false }
        prefix = kept[place].prefix
        prefix.time = prefix.time.map { $0 &+ thousandths }
        self.extent = extent
        return true
    }

    @inline(never)
    private mutating func readAnew(_ line: LogBytes) {
        extent = PrefixExtent()
        prefix = LogPrefix(line, &time, &extent)
        guard extent.isWorthKeeping(in: line, longest: Self.longest) else {
            extent = PrefixExtent()
            return
        }
        place = nextPlace
        keptCount = max(keptCount, place &+ 1)
        nextPlace = (nextPlace &+ 1) % Self.mostKept
        (texts + place &* Self.longest).copyMemory(from: line.base, byteCount: extent.end)
        kept[place] = Kept(prefix: prefix, extent: extent)
        if extent.fraction > 0, let thousandths = TimeReader.thousandths(line.word(at: extent.fraction)) {
            kept[place].prefix.time = prefix.time.map { $0 &- thousandths }
        }
    }
}
