#if arch(x86_64) && !SONDE_PORTABLE
    internal import _Builtin_intrinsics.intel.sse2
#endif

/// Sixteen bytes that are looked at together.
///
/// On x86-64 in three instructions, which the standard library's vectors cannot be brought to; elsewhere by words.
struct ByteBlock {
    static let size = 16

    #if arch(x86_64) && !SONDE_PORTABLE
        private let bytes: __m128i

        /// The sixteen bytes from `start` on, which the caller has checked to exist.
        @inline(__always)
        init(_ start: UnsafeRawPointer) {
            bytes = start.loadUnaligned(as: __m128i.self)
        }

        /// Writes the bytes to `target`, where there is room for them.
        @inline(__always)
        func store(to target: UnsafeMutableRawPointer) {
            target.storeBytes(of: bytes, as: __m128i.self)
        }

        /// A bit for each byte that is `byte`; the lowest bit is the first byte.
        @inline(__always)
        func places(of byte: UInt8) -> UInt32 {
            let same = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(CChar(truncatingIfNeeded: byte)))
            return UInt32(bitPattern: _mm_movemask_epi8(same))
        }

        /// A bit for each byte that is the same in `other`.
        @inline(__always)
        func places(sameAs other: ByteBlock) -> UInt32 {
            UInt32(bitPattern: _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, other.bytes)))
        }

        /// A bit for each byte that is neither in 0x21...0x3f nor in 0x60...0x7e.
        @inline(__always)
        var oddPlaces: UInt32 {
            // What is left has the highest bit clear and the third highest set, and is neither the first nor the last such byte.
            let third = _mm_slli_epi16(bytes, 2)
            let edges = _mm_or_si128(
                _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x20)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)))
            let high = UInt32(bitPattern: _mm_movemask_epi8(_mm_or_si128(bytes, edges)))
            return high | (UInt32(bitPattern: _mm_movemask_epi8(third)) ^ 0xffff)
        }
    #else
        private let words: ByteWords

        /// The sixteen bytes from `start` on, which the caller has checked to exist.
        @inline(__always)
        init(_ start: UnsafeRawPointer) {
            words = ByteWords(start)
        }

        /// Writes the bytes to `target`, where there is room for them.
        @inline(__always)
        func store(to target: UnsafeMutableRawPointer) {
            words.store(to: target)
        }

        /// A bit for each byte that is `byte`; the lowest bit is the first byte.
        @inline(__always)
        func places(of byte: UInt8) -> UInt32 { words.places(of: byte) }

        /// A bit for each byte that is the same in `other`.
        @inline(__always)
        func places(sameAs other: ByteBlock) -> UInt32 { words.places(sameAs: other.words) }

        /// A bit for each byte that is neither in 0x21...0x3f nor in 0x60...0x7e.
        @inline(__always)
        var oddPlaces: UInt32 { words.oddPlaces }
    #endif
}

extension ByteBlock {
    /// How many bytes are looked at for a bit each of a number.
    static let wideSize = 64

    /// A bit for each of the 64 bytes from `start` on that is `byte`; the caller has checked that they exist.
    @inline(__always)
    static func places(of byte: UInt8, at start: UnsafeRawPointer) -> UInt64 {
        let first = ByteBlock(start).places(of: byte) | ByteBlock(start + size).places(of: byte) &<< 16
        let second =
            ByteBlock(start + size &* 2).places(of: byte) | ByteBlock(start + size &* 3).places(of: byte) &<< 16
        return UInt64(first) | UInt64(second) &<< 32
    }
}

extension ByteBlock {
    /// A bit for each of the 64 bytes from `start` on that is the same from `other` on; the caller has checked that they exist.
    @inline(__always)
    static func places(at start: UnsafeRawPointer, sameAs other: UnsafeRawPointer) -> UInt64 {
        UInt64(places(at: start, sameAs: other, 0) | places(at: start, sameAs: other, 1) &<< 16)
            | UInt64(places(at: start, sameAs: other, 2) | places(at: start, sameAs: other, 3) &<< 16) &<< 32
    }

    @inline(__always)
    private static func places(
        at start: UnsafeRawPointer, sameAs other: UnsafeRawPointer, _ number: Int
    ) -> UInt32 {
        ByteBlock(start + number &* size).places(sameAs: ByteBlock(other + number &* size))
    }
}

/// Sixteen bytes as two numbers, for processors whose instructions are not made use of.
struct ByteWords {
    private let low: UInt64
    private let high: UInt64

    @inline(__always)
    init(_ start: UnsafeRawPointer) {
        low = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        high = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// A bit for each byte that is `byte`; the lowest bit is the first byte.
    @inline(__always)
    func places(of byte: UInt8) -> UInt32 {
        Self.places(of: byte, in: low) | Self.places(of: byte, in: high) << 8
    }

    /// Writes the bytes to `target`, where there is room for them.
    @inline(__always)
    func store(to target: UnsafeMutableRawPointer) {
        target.storeBytes(of: low.littleEndian, as: UInt64.self)
        target.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// A bit for each byte that is the same in `other`.
    @inline(__always)
    func places(sameAs other: ByteWords) -> UInt32 {
        Self.places(of: 0, in: low ^ other.low) | Self.places(of: 0, in: high ^ other.high) << 8
    }

    /// A bit for each byte that is neither in 0x21...0x3f nor in 0x60...0x7e.
    @inline(__always)
    var oddPlaces: UInt32 {
        let edges = places(of: 0x20) | places(of: 0x7f)
        return edges | Self.gather(low | ~(low &<< 2)) | Self.gather(high | ~(high &<< 2)) << 8
    }

    @inline(__always)
    private static func places(of byte: UInt8, in word: UInt64) -> UInt32 {
        let low7: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
        let differences = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
        return gather(~(((differences & low7) &+ low7) | differences | low7))
    }

    /// The highest bits of eight bytes.
    @inline(__always)
    private static func gather(_ word: UInt64) -> UInt32 {
        let bits = (word & 0x8080_8080_8080_8080) &>> 7
        return UInt32(truncatingIfNeeded: (bits &* 0x0102_0408_1020_4080) &>> 56)
    }
}
