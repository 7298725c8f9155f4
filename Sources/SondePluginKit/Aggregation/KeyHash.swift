/// Turns bytes into a number that spreads well, eight bytes at a time.
///
/// Not a secret: whoever chooses the bytes can choose what they collide with, unless the seed is unknown to them.
public enum KeyHash {
    /// The hash of `bytes`; the same in every process for the same seed.
    public static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash = mix(seed ^ UInt64(truncatingIfNeeded: bytes.count) ^ 0x9e37_79b9_7f4a_7c15)
        guard let base = bytes.baseAddress else { return hash }
        var position = 0
        while position &+ 8 <= bytes.count {
            hash = mix(hash ^ base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position &+= 8
        }
        guard position < bytes.count else { return hash }
        var rest: UInt64 = 0
        while position < bytes.count {
            rest = rest << 8 | UInt64(base.load(fromByteOffset: position, as: UInt8.self))
            position &+= 1
        }
        return mix(hash ^ rest)
    }

    /// A number whose every bit depends on every bit of `value`.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
        let folded = product.high ^ product.low
        return (folded ^ (folded >> 32)) &* 0xe703_7ed1_a0b4_28db
    }
}
