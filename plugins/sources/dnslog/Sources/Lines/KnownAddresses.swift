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
    @inline(__always)
    func address(in line: LogBytes, _ start: Int, _ end: Int) -> IPAddress? {
        let length = end &- start
        guard start >= 0, length > 0, length <= Self.longest, start &+ 16 <= line.count else {
            return line.part(start, end).address
        }
        let low = line.base.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
        let high = line.base.loadUnaligned(fromByteOffset: start &+ 8, as: UInt64.self).littleEndian
        let bits = UInt64(truncatingIfNeeded: length &* 8)
        return length <= 8
            ? find(low & (UInt64.max &>> (64 &- bits)), 0, bits, line, start, end)
            : find(low, high & (UInt64.max &>> (128 &- bits)), bits, line, start, end)
    }

    /// The address after the last space of `line`, and where it begins; nil when there is none.
    @inline(__always)
    func lastAddress(of line: LogBytes) -> (address: IPAddress, start: Int)? {
        guard line.count > 16 else { return line.lastAddress }
        let from = line.count &- 16
        let spaces = ByteBlock(line.base + from).places(of: 0x20)
        let length = spaces.leadingZeroBitCount &- 16
        guard length > 0, length <= Self.longest else { return line.lastAddress }
        let low = line.base.loadUnaligned(fromByteOffset: from, as: UInt64.self).littleEndian
        let high = line.base.loadUnaligned(fromByteOffset: from &+ 8, as: UInt64.self).littleEndian
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

    @inline(__always)
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
