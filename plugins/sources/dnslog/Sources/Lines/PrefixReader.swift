/// Reads the prefix of each line, and not again where it is the same as that of the line before.
///
/// Within a second, lines of one program begin alike, but for the thread or process; a few are kept for them. Only prefixes
/// that end with a tag are kept: of others, what stands behind them decides where they end.
struct PrefixReader: ~Copyable {
    private static let longest = 120
    private static let mostKept = 4

    private let texts: UnsafeMutableRawPointer
    /// The prefixes that `texts` has the texts of.
    private let prefixes: UnsafeMutablePointer<LogPrefix>
    private var keptCount = 0
    private var nextKept = 0
    /// The text of `prefix`, when it is kept.
    private var kept: UnsafeMutableRawPointer
    private var length = 0
    private var time = KnownTime()
    /// The prefix of the line that was read last.
    private(set) var prefix = LogPrefix()

    init() {
        texts = .allocate(byteCount: Self.mostKept &* Self.longest, alignment: 8)
        prefixes = .allocate(capacity: Self.mostKept)
        prefixes.initialize(repeating: LogPrefix(), count: Self.mostKept)
        kept = texts
    }

    deinit {
        texts.deallocate()
        prefixes.deallocate()
    }

    /// Reads the prefix of `line`; false when it is that of the line before.
    @inline(__always)
    mutating func read(_ line: LogBytes) -> Bool {
        if isSame(line, kept, length) { return false }
        if !recall(line) { readAnew(line) }
        return true
    }

    @inline(__always)
    private func isSame(_ line: LogBytes, _ kept: UnsafeMutableRawPointer, _ length: Int) -> Bool {
        guard length >= 8, line.count > length else { return false }
        var index = 0
        while index &+ 8 < length {
            guard word(line.base, index) == word(kept, index) else { return false }
            index &+= 8
        }
        return word(line.base, length &- 8) == word(kept, length &- 8)
    }

    @inline(__always)
    private func word(_ bytes: UnsafeRawPointer, _ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Whether the prefix of `line` is one that was kept before the last one.
    @inline(never)
    private mutating func recall(_ line: LogBytes) -> Bool {
        for place in 0..<keptCount
        where isSame(line, texts + place &* Self.longest, prefixes[place].start) {
            kept = texts + place &* Self.longest
            prefix = prefixes[place]
            length = prefix.start
            return true
        }
        return false
    }

    @inline(never)
    private mutating func readAnew(_ line: LogBytes) {
        prefix = LogPrefix(line, &time)
        length = 0
        guard prefix.tag != .none, prefix.start <= Self.longest, prefix.start <= line.count else {
            return
        }
        kept = texts + nextKept &* Self.longest
        prefixes[nextKept] = prefix
        keptCount = max(keptCount, nextKept &+ 1)
        nextKept = (nextKept &+ 1) % Self.mostKept
        length = prefix.start
        kept.copyMemory(from: line.base, byteCount: length)
    }
}
