/// The octets of an uncompressed name in lower case, eight at a time.
///
/// Names are the same in any case of their ASCII letters (RFC 4343). A length octet is below 64 and no letter, so
/// that a whole name can be folded without a look at its labels.
enum FoldedName {
    /// `octets` with every ASCII letter in lower case.
    @inline(__always)
    static func fold(_ octets: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low7 = octets & (ones &* 0x7f)
        let fromA = low7 &+ ones &* (0x80 &- 0x41)
        let afterZ = low7 &+ ones &* (0x80 &- 0x5b)
        let capital = (fromA ^ afterZ) & ~octets & (ones &* 0x80)
        return octets | (capital >> 2)
    }

    /// A number that is the same for names that differ only in the case of letters.
    ///
    /// Without `seed` nobody can choose names that collide: beginning and factor are unknown.
    /// The caller has checked that there are `length` octets at `offset`, and at least 8 before.
    @inline(__always)
    static func hash(_ message: WireBytes, at offset: Int, length: Int, seed: UInt64) -> UInt64 {
        let factor = seed.byteSwapped | 1
        var hash = UInt64(truncatingIfNeeded: length) ^ seed
        forEachChunk(message, at: offset, length: length) { _, chunk, _ in
            hash = mix(hash ^ chunk, factor)
        }
        return hash
    }

    /// Writes the folded octets to `target`, which has room for `length` of them.
    ///
    /// The caller has checked that there are `length` octets at `offset`, and at least 8 before.
    @inline(__always)
    static func copy(_ message: WireBytes, at offset: Int, length: Int, to target: UnsafeMutableRawPointer) {
        forEachChunk(message, at: offset, length: length) { position, chunk, count in
            if count == 8 {
                target.storeBytes(of: UInt64(littleEndian: chunk), toByteOffset: position, as: UInt64.self)
            } else {
                var rest = chunk
                for index in 0..<count {
                    target.storeBytes(
                        of: UInt8(truncatingIfNeeded: rest), toByteOffset: position &+ index, as: UInt8.self)
                    rest >>= 8
                }
            }
        }
    }

    /// A multiplication whose halves are folded together.
    @inline(__always)
    private static func mix(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func forEachChunk(
        _ message: WireBytes,
        at offset: Int,
        length: Int,
        _ body: (_ position: Int, _ chunk: UInt64, _ count: Int) -> Void
    ) {
        var position = 0
        while position &+ 8 <= length {
            body(position, fold(load(message, offset &+ position)), 8)
            position &+= 8
        }
        let rest = length &- position
        guard rest > 0 else { return }
        // The last octets are read together with those before them, which are there, and not with what follows.
        let last = load(message, offset &+ length &- 8)
        body(position, fold(last >> (64 &- UInt64(rest) &* 8)), rest)
    }

    @inline(__always)
    private static func load(_ message: WireBytes, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: message.base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
