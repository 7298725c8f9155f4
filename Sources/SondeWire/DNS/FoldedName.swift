/// The octets of an uncompressed name in lower case, sixteen at a time.
///
/// Names are the same in any case of their ASCII letters (RFC 4343). A length octet is below 64 and no letter, so
/// that a whole name can be folded without a look at its labels.
enum FoldedName {
    /// `octets` with every ASCII letter in lower case.
    @inline(__always)
    static func fold(_ octets: SIMD2<UInt64>) -> SIMD2<UInt64> {
        // The highest bit of each octet is set by a sum without carrying into the next one. Comparisons of vectors are
        // loops over their elements here.
        let low7 = octets & SIMD2(repeating: 0x7f7f_7f7f_7f7f_7f7f)
        let fromA = low7 &+ SIMD2(repeating: 0x3f3f_3f3f_3f3f_3f3f)
        let afterZ = low7 &+ SIMD2(repeating: 0x2525_2525_2525_2525)
        let capital = (fromA ^ afterZ) & ~octets & SIMD2(repeating: 0x8080_8080_8080_8080)
        return octets | (capital &>> 2)
    }

    /// A number that is the same for names that differ only in the case of letters.
    ///
    /// Without `seed` nobody can choose names that collide: all factors are unknown. One multiplication takes sixteen octets.
    /// The caller has checked that there are `length` octets at `offset`, and at least 8 before.
    @inline(__always)
    static func hash(_ message: WireBytes, at offset: Int, length: Int, seed: UInt64) -> UInt64 {
        let factor = seed.byteSwapped | 1
        var hash = UInt64(truncatingIfNeeded: length) ^ seed
        guard length >= 16 else {
            // Both halves overlap, or there is one that is shorter than eight.
            let last = load(message, offset &+ length &- 8)
            let halves =
                length >= 8 ? SIMD2(load(message, offset), last) : SIMD2(last >> (64 &- UInt64(length) &* 8), 0)
            return mix(halves, hash, factor)
        }
        var position = offset
        let lastPosition = offset &+ length &- 16
        while position < lastPosition {
            hash = mix(load16(message, position), hash, factor)
            position &+= 16
        }
        // The last octets are read together with those before them, and not with what follows.
        return mix(load16(message, lastPosition), hash, factor)
    }

    /// Writes the folded octets to `target`, which has room for `length` of them.
    ///
    /// The caller has checked that there are `length` octets at `offset`, and at least 8 before.
    @inline(__always)
    static func copy(_ message: WireBytes, at offset: Int, length: Int, to target: UnsafeMutableRawPointer) {
        guard length >= 16 else { return copyShort(message, at: offset, length: length, to: target) }
        var position = 0
        while position < length {
            let place = min(position, length &- 16)
            target.storeBytes(of: fold(load16(message, offset &+ place)), toByteOffset: place, as: SIMD2<UInt64>.self)
            position &+= 16
        }
    }

    private static func copyShort(
        _ message: WireBytes, at offset: Int, length: Int, to target: UnsafeMutableRawPointer
    ) {
        for index in 0..<length {
            let octet = message.unchecked8(offset &+ index)
            let isCapital = octet &- 0x41 < 26
            target.storeBytes(of: isCapital ? octet | 0x20 : octet, toByteOffset: index, as: UInt8.self)
        }
    }

    /// Folds sixteen octets and makes one multiplication of their halves, whose own halves are folded together.
    @inline(__always)
    private static func mix(_ halves: SIMD2<UInt64>, _ hash: UInt64, _ factor: UInt64) -> UInt64 {
        let folded = fold(halves)
        let product = (folded[0] ^ hash).multipliedFullWidth(by: folded[1] ^ factor)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func load16(_ message: WireBytes, _ offset: Int) -> SIMD2<UInt64> {
        message.base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    @inline(__always)
    private static func load(_ message: WireBytes, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: message.base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
