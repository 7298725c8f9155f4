internal import SondeWire

/// Spreads flow keys over a table, in a way that cannot be predicted from outside.
///
/// With a known function an attacker would choose ports so that all flows get one place of the table. The VLAN does not
/// count: flows that differ in nothing else have the same hash, so that they can be found as one conversation.
struct FlowHash: Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64
    private let fifth: UInt64

    /// A different function for every generator.
    init(using generator: inout some RandomNumberGenerator) {
        first = generator.next()
        second = generator.next()
        third = generator.next()
        fourth = generator.next()
        // Odd, so that it has an inverse: no two values of the last step fall together before it is folded.
        fifth = generator.next() | 1
    }

    /// A secret function.
    static var secret: FlowHash {
        var generator = SystemRandomNumberGenerator()
        return FlowHash(using: &generator)
    }

    /// The hash of a key.
    @inline(__always)
    func of(_ key: FlowKey) -> UInt64 {
        let addresses =
            Self.fold(key.low.high ^ first, key.low.low ^ second)
            ^ Self.fold(key.high.high ^ third, key.high.low ^ fourth)
        return Self.fold(addresses ^ (key.rest | 0xffff_0000) ^ second, fifth)
    }

    /// The hash of an address.
    func of(_ address: IPAddress) -> UInt64 {
        Self.fold(Self.fold(address.high ^ first, address.low ^ second) ^ third, fifth)
    }

    /// The hash of a number.
    func of(_ number: UInt64) -> UInt64 {
        Self.fold(Self.fold(number ^ first, fourth) ^ third, fifth)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
