/// Turns bytes into a number that spreads well, eight bytes at a time.
///
/// Without a seed it is no secret: an attacker can choose bytes that collide. With a secret seed, factor
/// and beginning are unknown, and nobody can.
public enum KeyHash {
    /// A seed of this process, for keys that remote hosts choose.
    ///
    /// It comes from what sets are seeded with, so that it is constant where those are: in a replay.
    public static let processSeed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1

    /// The hash of `bytes`; the same in every process for the same seed.
    public static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        let factor = factor(seed)
        var hash = mix(seed ^ UInt64(truncatingIfNeeded: bytes.count) ^ 0x9e37_79b9_7f4a_7c15, factor)
        guard let base = bytes.baseAddress else { return hash }
        var position = 0
        while position &+ 8 <= bytes.count {
            hash = mix(hash ^ base.loadUnaligned(fromByteOffset: position, as: UInt64.self), factor)
            position &+= 8
        }
        guard position < bytes.count else { return hash }
        var rest: UInt64 = 0
        while position < bytes.count {
            rest = rest << 8 | UInt64(base.load(fromByteOffset: position, as: UInt8.self))
            position &+= 1
        }
        return mix(hash ^ rest, factor)
    }

    /// The hash of two words, such as those of an address, under a seed that is a secret.
    ///
    /// Not the hash of their bytes: it costs one multiplication.
    @inlinable
    public static func of(_ high: UInt64, _ low: UInt64, seed: UInt64) -> UInt64 {
        // Both factors are unknown, so that nobody can make one of them 0 and the other one count for nothing.
        let product = (high ^ seed).multipliedFullWidth(by: low ^ factor(seed))
        return product.high ^ product.low
    }

    /// A number whose every bit depends on every bit of `value`.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        mix(value, factor(0))
    }

    @inlinable
    static func mix(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: factor)
        let folded = product.high ^ product.low
        return (folded ^ (folded >> 32)) &* 0xe703_7ed1_a0b4_28db
    }

    /// An odd number that is as unknown as the seed.
    @inlinable
    static func factor(_ seed: UInt64) -> UInt64 {
        (seed.byteSwapped ^ 0xa076_1d64_78bd_642f) | 1
    }
}
