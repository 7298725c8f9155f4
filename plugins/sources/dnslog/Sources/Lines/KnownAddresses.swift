internal import SondePluginKit
internal import SondeWire

/// Addresses that were read lately, by their text: the same clients come again and again.
///
/// A look costs a fraction of reading the text. Of two texts with the same place, the newer one replaces the other.
struct KnownAddresses: ~Copyable {
    private struct Entry {
        /// The text, the first byte lowest; its length in the highest byte.
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// The address of the text; `::` for an entry that is not in use.
        var address = IPAddress(high: 0, low: 0)
    }

    /// The longest text that is kept: any address in dotted decimal.
    private static let longest = 15
    private static let placeBits: UInt64 = 12

    private let entries: UnsafeMutablePointer<Entry>
    private let seed: UInt64

    /// A table in which texts with the same place cannot be chosen without `seed`.
    init(seed: UInt64) {
        self.seed = seed
        entries = .allocate(capacity: 1 << Int(Self.placeBits))
        entries.initialize(repeating: Entry(), count: 1 << Int(Self.placeBits))
    }

    deinit {
        entries.deallocate()
    }

    /// The address that is written in `line` from `start` to before `end`, or nil.
    @inline(always)
    func address(in line: LogBytes, _ start: Int, _ end: Int) -> IPAddress? {
        let length = end &- start
        guard UInt(bitPattern: length &- 1) < UInt(Self.longest),
            UInt(bitPattern: start) < UInt(bitPattern: line.blockCount)
        else { return lastAddress(in: line, start, end) }
        return address(in: line, start, end, line.wholeWord(start), line.wholeWord(start &+ 8))
    }

    /// The address of a text of up to 15 bytes, which is the beginning of `low` and `high`.
    @inline(always)
    private func address(
        in line: LogBytes, _ start: Int, _ end: Int, _ low: UInt64, _ high: UInt64
    ) -> IPAddress? {
        let bits = UInt64(truncatingIfNeeded: (end &- start) &* 8)
        return bits <= 64
            ? find(low & (UInt64.max &>> (64 &- bits)), 0, bits, line, start, end)
            : find(low, high & (UInt64.max &>> (128 &- bits)), bits, line, start, end)
    }

    /// Where the line ends soon, the bytes are the last of sixteen.
    @inline(never)
    private func lastAddress(in line: LogBytes, _ start: Int, _ end: Int) -> IPAddress? {
        let from = line.count &- 16
        guard from >= 0, start >= from, end > start, end &- start <= Self.longest, end <= line.count else {
            return line.part(start, end).address
        }
        let bits = UInt64(truncatingIfNeeded: (start &- from) &* 8)
        let (low, high) = Self.shift(line.wholeWord(from), line.wholeWord(from &+ 8), by: bits)
        return address(in: line, start, end, low, high)
    }

    /// Two words without the lowest `bits`, fewer than 128.
    @inline(always)
    private static func shift(_ low: UInt64, _ high: UInt64, by bits: UInt64) -> (low: UInt64, high: UInt64) {
        guard bits > 0 else { return (low, high) }
        guard bits < 64 else { return (high &>> (bits &- 64), 0) }
        return (low &>> bits | high &<< (64 &- bits), high &>> bits)
    }

    /// The address after the last space of `line`, and where it begins; nil when there is none.
    @inline(always)
    func lastAddress(of line: LogBytes) -> (address: IPAddress, start: Int)? {
        guard line.count > 16 else { return line.lastAddress }
        let from = line.count &- 16
        let spaces = ByteBlock(line.base + from).places(of: 0x20)
        let length = spaces.leadingZeroBitCount &- 16
        guard length > 0, length <= Self.longest else { return line.lastAddress }
        let (low, high) = (line.wholeWord(from), line.wholeWord(from &+ 8))
        let bits = UInt64(truncatingIfNeeded: length &* 8)
        let start = line.count &- length
        let address =
            length <= 8
            ? find(high &>> (64 &- bits), 0, bits, line, start, line.count)
            : find(
                low &>> (128 &- bits) | high &<< (bits &- 64), high &>> (128 &- bits), bits, line, start,
                line.count)
        return address.map { ($0, start) }
    }

    @inline(always)
    private func find(
        _ low: UInt64, _ high: UInt64, _ bits: UInt64, _ line: LogBytes, _ start: Int, _ end: Int
    ) -> IPAddress? {
        let key = high | bits &<< 53
        let hash = KeyHash.of(key, low, seed: seed)
        let entry = entries + Int(truncatingIfNeeded: hash &>> (64 &- Self.placeBits))
        if entry.pointee.low == low, entry.pointee.high == key {
            let address = entry.pointee.address
            if address.high | address.low != 0 { return address }
        }
        return read(line, start, end, entry, low, key)
    }

    @inline(never)
    private func read(
        _ line: LogBytes, _ start: Int, _ end: Int, _ entry: UnsafeMutablePointer<Entry>, _ low: UInt64,
        _ high: UInt64
    ) -> IPAddress? {
        guard let address = line.part(start, end).address else { return nil }
        entry.pointee = Entry(low: low, high: high, address: address)
        return address
    }
}
