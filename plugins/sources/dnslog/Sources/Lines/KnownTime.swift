/// The time that was read last, up to its second: lines of one second begin alike, and their time is read once.
struct KnownTime: ~Copyable {
    private static let longest = 32

    private let text: UnsafeMutableRawPointer
    private var length = 0
    /// The time without its fraction, in milliseconds.
    private(set) var milliseconds: Int64 = 0
    /// What follows the fraction.
    private(set) var form = TimeReader.Form.bare

    init() {
        text = .allocate(byteCount: Self.longest, alignment: 8)
    }

    deinit {
        text.deallocate()
    }

    /// Where the known text ends in `line` if it is there from `start` on, without a further digit after it.
    @inline(__always)
    func end(in line: LogBytes, from start: Int) -> Int? {
        guard length >= 8, start >= 0, line.count &- start > length else { return nil }
        let base = line.base + start
        var index = 0
        while index < length {
            let place = min(index, length &- 8)
            guard
                base.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return nil }
            index &+= 8
        }
        return line[start &+ length] &- 0x30 < 10 ? nil : start &+ length
    }

    /// Keeps the time of `line` that is from `start` to before `end`.
    mutating func keep(_ line: LogBytes, _ start: Int, _ end: Int, _ milliseconds: Int64, _ form: TimeReader.Form) {
        let bytes = line.part(start, end)
        length = bytes.count <= Self.longest ? bytes.count : 0
        text.copyMemory(from: bytes.base, byteCount: length)
        self.milliseconds = milliseconds
        self.form = form
    }
}
