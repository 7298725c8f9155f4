extension LogBytes {
    /// A hash of the bytes, sixteen at a time; the last ones may overlap those before them.
    ///
    /// It cannot be chosen without `seed`. It spreads well in all bits but the lowest few.
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 {
        let start = seed ^ UInt64(truncatingIfNeeded: count)
        // A factor that cannot be made 0 from outside: what came before it would have no effect.
        let other = seed.byteSwapped ^ 0xa076_1d64_78bd_642f
        guard count >= 8 else { return Self.mix(start, word(at: 0) ^ other) }
        let last = wholeWord(count &- 8)
        guard count > 16 else { return Self.mix(start ^ wholeWord(0), last ^ other) }
        var hash = start
        var index = 0
        while index &+ 16 < count {
            hash = Self.mix(hash ^ wholeWord(index), wholeWord(index &+ 8) ^ other)
            index &+= 16
        }
        return Self.mix(hash ^ wholeWord(count &- 16), last ^ other)
    }

    /// Eight bytes that the caller has checked to be there, the first one lowest.
    @inline(__always)
    func wholeWord(_ index: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
