/// Replaces addresses and names by others that look like them; the same ones by the same, and without the key there is no way
/// back.
///
/// Addresses with a common beginning have pseudonyms with a common beginning of the same length (as Crypto-PAn, Xu and others,
/// 2002), and stay of their kind: loopback, private, link-local, multicast.
public struct Pseudonyms: Sendable {
    private let key: SipKey

    /// Pseudonyms by 16 secret bytes; nil for another number of bytes.
    public init?(secret: [UInt8]) {
        guard secret.count == 16 else { return nil }
        let halves = secret.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        key = SipKey(first: halves.0, second: halves.1)
    }

    /// The pseudonym of an address.
    public func address(_ address: IPAddress) -> IPAddress {
        guard let number = address.ipv4 else {
            let kept = Self.keptBits(of: address)
            guard kept < 128 else { return address }
            let high = flip(address.high, from: min(kept, 64), beside: [6])
            let low = flip(address.low, from: max(kept - 64, 0), beside: [6] + Self.bytes(address.high))
            return IPAddress(high: high, low: low)
        }
        let kept = Self.keptBits(ofIPv4: number)
        guard kept < 32 else { return address }
        let flipped = flip(UInt64(number) << 32, from: kept, to: 32, beside: [4])
        return IPAddress(ipv4: UInt32(truncatingIfNeeded: flipped >> 32))
    }

    /// The pseudonym of one label of a name: letters, as many as it has bytes; without regard to upper and lower case.
    public func label(_ label: some Sequence<UInt8>) -> [UInt8] {
        let folded = label.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        var letters: [UInt8] = []
        var round: UInt8 = 0
        while letters.count < folded.count {
            var hash = key.hash([1, round] + folded)
            for _ in 0..<12 where letters.count < folded.count {
                letters.append(UInt8(ascii: "a") + UInt8(hash % 26))
                hash /= 26
            }
            round &+= 1
        }
        return letters
    }

    /// Replaces each bit of 64 from one on, by what the bits before it are.
    private func flip(_ word: UInt64, from first: Int, to end: Int = 64, beside context: [UInt8]) -> UInt64 {
        var result = word
        for bit in first..<max(first, end) {
            let before = bit == 0 ? 0 : (word >> UInt64(64 - bit)) << UInt64(64 - bit)
            let choice = key.hash(context + [UInt8(bit)] + Self.bytes(before)) & 1
            result ^= choice << UInt64(63 - bit)
        }
        return result
    }

    private static func bytes(_ word: UInt64) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { [UInt8]($0) } }

    /// How many bits encode the kind of an address.
    private static func keptBits(ofIPv4 number: UInt32) -> Int {
        switch number >> 24 {
        case 0, 127, 255: 32
        case 224...239: 32
        case 10: 8
        case 172 where number >> 20 == 0xac1: 12
        case 192 where number >> 16 == 0xc0a8: 16
        case 169 where number >> 16 == 0xa9fe: 16
        default: 0
        }
    }

    private static func keptBits(of address: IPAddress) -> Int {
        switch address.high >> 56 {
        case 0xff: 128
        case 0 where address.high == 0 && address.low <= 1: 128
        case 0xfe: 10
        case 0xfc, 0xfd: 8
        default: 3
        }
    }
}
