/// Reads the prefix of each line, and not again where it is the same as that of the line before.
///
/// Within a second, lines of one program begin alike. Only prefixes that end with a tag are kept: of others, what stands
/// behind them decides where they end.
struct PrefixReader: ~Copyable {
    private static let longest = 120

    private let kept: UnsafeMutableRawPointer
    private var length = 0
    private var time = KnownTime()
    /// The prefix of the line that was read last.
    private(set) var prefix = LogPrefix()

    init() {
        kept = .allocate(byteCount: Self.longest, alignment: 8)
    }

    deinit {
        kept.deallocate()
    }

    /// Reads the prefix of `line`; false when it is that of the line before.
    @inline(__always)
    mutating func read(_ line: LogBytes) -> Bool {
        if isSame(line) { return false }
        readAnew(line)
        return true
    }

    @inline(__always)
    private func isSame(_ line: LogBytes) -> Bool {
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

    @inline(never)
    private mutating func readAnew(_ line: LogBytes) {
        prefix = LogPrefix(line, &time)
        length = 0
        if prefix.tag != .none, prefix.start <= Self.longest, prefix.start <= line.count {
            length = prefix.start
            kept.copyMemory(from: line.base, byteCount: length)
        }
    }
}
