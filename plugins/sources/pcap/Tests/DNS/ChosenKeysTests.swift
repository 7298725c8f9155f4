import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

/// Names, clients and tuples that an attacker chose so that they collide under a multiplication with a public factor.
@Suite struct ChosenKeysTests {
    private static let publicFactor: UInt64 = 0xa076_1d64_78bd_642f

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let folded = fold(value, publicFactor)
        return (folded ^ (folded >> 32)) &* 0xe703_7ed1_a0b4_28db
    }

    private static func octets(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }

    /// Names of one label in 24 octets, which meet after their second word in a hash that begins with their length.
    private static func names(_ count: Int) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var generator = SeededGenerator(seed: 3)
        let start = 24 ^ 0x9e37_79b9_7f4a_7c15 as UInt64
        while found.count < count {
            let first = (0..<7).map { _ in UInt8.random(in: 0x61...0x7a, using: &generator) }
            let word = first.enumerated().reduce(22 as UInt64) {
                $0 | UInt64($1.element) << UInt64(8 * ($1.offset + 1))
            }
            let second = octets(fold(start ^ word, publicFactor) ^ 0x5151_5151_5151_5151)
            guard second.allSatisfy({ !(0x41...0x5a).contains($0) }) else { continue }
            found.append([22] + first + second + [UInt8](repeating: 0x61, count: 7) + [0])
        }
        return found
    }

    private static func query(_ name: [UInt8], id: UInt16, client: [UInt8]? = nil) -> [UInt8] {
        let message = DNSMessageBuilder(id: id).asking(wireName: name).bytes
        guard let client else { return Frame.udp(ports: (40_000, 53), payload: message) }
        let server: [UInt8] = [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 12)
        return PacketBuilder(
            [EthernetLayer(), IPv6Layer(client, server), UDPLayer(40_000, 53)], payload: message
        ).bytes
    }

    private static func address(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        octets(high).reversed() + octets(low).reversed()
    }

    @Test(arguments: ["full", "hashed", "none"])
    func chosenNamesAreAsManyAsTheyAre(_ privacy: String) throws {
        let traffic = try Traffic(["privacy": .string(privacy)])
        for (id, name) in Self.names(1_000).enumerated() { traffic.see(Self.query(name, id: UInt16(id))) }
        let distinct = traffic.samples().sum("sonde.dns.wire.name.distinct")
        #expect((900...1_100).contains(distinct))
    }

    @Test func chosenClientsAreAsManyAsTheyAre() throws {
        let traffic = try Traffic()
        for number in 1...1_000 as ClosedRange<UInt64> {
            let high = 0x2001_0db8_0000_0000 | number
            let client = Self.address(high, Self.mix(high))
            traffic.see(Self.query([1, 0x61, 0], id: UInt16(number), client: client))
        }
        let distinct = traffic.samples().sum("sonde.dns.wire.client.distinct")
        #expect((900...1_100).contains(distinct))
    }

    /// The queries have one id and one question, and differ only in the client.
    @Test func chosenAddressesAreTransactionsOfTheirOwn() throws {
        let traffic = try Traffic()
        for number in 1...1_000 as ClosedRange<UInt64> {
            let client = Self.address(0x2001_0db8_0000_0000 | number, Self.publicFactor)
            traffic.see(Self.query([1, 0x61, 0], id: 7, client: client))
        }
        #expect(traffic.samples().sum("sonde.dns.wire.query.repeated") == 0)
    }
}
