internal import SondePluginKit

/// Makes the text by which a name in a log is counted.
///
/// In lower case, without the last dot, escaped as in RFC 1035, section 5.1; the packet source uses the same form.
struct NameFolder: ~Copyable {
    /// The longest text that is counted by itself, in bytes.
    static let longest = SpaceSaving.longestKey

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let high = ones &* 0x80

    private let room: UnsafeMutableRawPointer
    private let seed: UInt64

    /// A folder whose hashes cannot be predicted without `seed`.
    init(seed: UInt64) {
        self.seed = seed
        room = .allocate(byteCount: Self.longest &+ 9, alignment: 8)
    }

    deinit {
        room.deallocate()
    }

    /// The text of `name` and a hash of it, valid until the next call and as long as the name; no text when it is too long.
    @inline(always)
    mutating func fold(_ name: LogName) -> (text: LogBytes, hash: UInt64) {
        var bytes = name.bytes
        if bytes.count > 1, bytes[bytes.count &- 1] == 0x2e, bytes[bytes.count &- 2] != 0x5c {
            bytes = bytes.part(0, bytes.count &- 1)
        }
        guard bytes.count >= 8, bytes.count <= Self.longest else { return foldWords(name, bytes) }
        // Most names are in lower case and stay as they are.
        return isUsual(bytes) ? (bytes, bytes.hash(seed: seed)) : foldWords(name, bytes)
    }

    /// Whether every byte, of eight at least, is in 0x21...0x3f or 0x60...0x7e.
    @inline(always)
    private func isUsual(_ bytes: LogBytes) -> Bool {
        let last = bytes.count &- ByteBlock.size
        guard last >= 0 else {
            let (first, second) = (bytes.word(at: 0), bytes.word(at: bytes.count &- 8))
            return (Self.unusualBytes(first) | Self.unusualBytes(second)) & Self.high == 0
        }
        var odd = ByteBlock(bytes.base + last).oddPlaces
        var index = 0
        while index < last {
            odd |= ByteBlock(bytes.base + index).oddPlaces
            index &+= ByteBlock.size
        }
        return odd == 0
    }

    /// The highest bit of each byte that is neither in 0x21...0x3f nor in 0x60...0x7e; the others are of no meaning.
    @inline(always)
    private static func unusualBytes(_ word: UInt64) -> UInt64 {
        let spaces = word ^ (ones &* 0x20)
        return word | ~word << 2 | (word &+ ones) | ((spaces &- ones) & ~spaces)
    }

    @inline(never)
    private mutating func foldWords(_ name: LogName, _ bytes: LogBytes) -> (text: LogBytes, hash: UInt64) {
        guard bytes.count <= Self.longest else { return (.none, 0) }
        var index = 0
        var odd: UInt64 = 0
        while index < bytes.count {
            // The last word may overlap the one before: its hash is the same for the same name.
            let place = bytes.count &- index >= 8 || bytes.count < 8 ? index : bytes.count &- 8
            let word = bytes.word(at: place)
            odd |= Self.oddBytes(word, known: min(bytes.count &- place, 8))
            let folded = Self.fold(word)
            room.storeBytes(of: folded.littleEndian, toByteOffset: place, as: UInt64.self)
            index = place &+ 8
        }
        guard odd == 0 else { return foldSlowly(name) }
        let text = LogBytes(base: room, count: bytes.count)
        return (text, text.hash(seed: seed))
    }

    /// Whether any of the first `known` bytes is a backslash or no printable ASCII; false alarms are harmless.
    @inline(always)
    private static func oddBytes(_ word: UInt64, known: Int) -> UInt64 {
        let slashes = word ^ (ones &* 0x5c)
        let deletes = word ^ (ones &* 0x7f)
        let found =
            word | ((word &- ones &* 0x21) & ~word) | ((slashes &- ones) & ~slashes) | ((deletes &- ones) & ~deletes)
        let mask = known >= 8 ? UInt64.max : (1 << UInt64(max(known, 0) &* 8)) &- 1
        return found & high & mask
    }

    /// `word` with every ASCII letter in lower case.
    @inline(always)
    private static func fold(_ word: UInt64) -> UInt64 {
        let low7 = word & (ones &* 0x7f)
        let fromA = low7 &+ ones &* (0x80 &- 0x41)
        let afterZ = low7 &+ ones &* (0x80 &- 0x5b)
        return word | ((fromA ^ afterZ) & ~word & (ones &* 0x80)) >> 2
    }

    @inline(never)
    private mutating func foldSlowly(_ name: LogName) -> (text: LogBytes, hash: UInt64) {
        var reader = EscapedName(name)
        var count = 0
        while let octet = reader.next() {
            var text = octet.escaped
            while text.length > 0 {
                guard count < Self.longest else { return (.none, 0) }
                room.storeBytes(of: UInt8(truncatingIfNeeded: text.bytes), toByteOffset: count, as: UInt8.self)
                text.bytes >>= 8
                text.length &-= 1
                count &+= 1
            }
        }
        // A dot at the end that separates nothing.
        if count > 1, reader.endedWithDot { count &-= 1 }
        let text = LogBytes(base: room, count: count)
        return (text, text.hash(seed: seed))
    }
}
