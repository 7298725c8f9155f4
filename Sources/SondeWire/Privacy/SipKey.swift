/// A secret under which names are hashed: SipHash-2-4 (Aumasson and Bernstein, 2012).
public struct SipKey: Equatable, Sendable {
    let first: UInt64
    let second: UInt64

    /// The key of these two halves.
    public init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// The hash of `bytes` under this key.
    public func hash(_ bytes: [UInt8]) -> UInt64 {
        var state = State(first: first, second: second)
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word |= UInt64(byte) << UInt64(index % 8 * 8)
            if index % 8 == 7 {
                state.absorb(word)
                word = 0
            }
        }
        state.absorb(word | UInt64(truncatingIfNeeded: bytes.count) << 56)
        return state.finish()
    }

    private struct State {
        private var words: (UInt64, UInt64, UInt64, UInt64)

        init(first: UInt64, second: UInt64) {
            words = (
                first ^ 0x736f_6d65_7073_6575, second ^ 0x646f_7261_6e64_6f6d,
                first ^ 0x6c79_6765_6e65_7261, second ^ 0x7465_6462_7974_6573
            )
        }

        mutating func absorb(_ word: UInt64) {
            words.3 ^= word
            mixRounds(2)
            words.0 ^= word
        }

        mutating func finish() -> UInt64 {
            words.2 ^= 0xff
            mixRounds(4)
            return words.0 ^ words.1 ^ words.2 ^ words.3
        }

        private mutating func mixRounds(_ count: Int) {
            for _ in 0..<count {
                words.0 &+= words.1
                words.1 = Self.rotate(words.1, 13) ^ words.0
                words.0 = Self.rotate(words.0, 32)
                words.2 &+= words.3
                words.3 = Self.rotate(words.3, 16) ^ words.2
                words.0 &+= words.3
                words.3 = Self.rotate(words.3, 21) ^ words.0
                words.2 &+= words.1
                words.1 = Self.rotate(words.1, 17) ^ words.2
                words.2 = Self.rotate(words.2, 32)
            }
        }

        private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
            word << bits | word >> (64 &- bits)
        }
    }
}
