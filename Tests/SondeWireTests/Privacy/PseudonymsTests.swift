import SondeTestKit
import SondeWire
import Testing

@Suite struct PseudonymsTests {
    private let pseudonyms = Pseudonyms(secret: Array(0..<16))

    private static func ipv4(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> IPAddress {
        IPAddress(ipv4: a << 24 | b << 16 | c << 8 | d)
    }

    @Test func aSecretHas16Bytes() {
        #expect(Pseudonyms(secret: []) == nil)
        #expect(Pseudonyms(secret: [UInt8](repeating: 0, count: 17)) == nil)
        #expect(pseudonyms != nil)
    }

    @Test func addressesShareAsMuchAsTheyDid() throws {
        let pseudonyms = try #require(pseudonyms)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let first = IPAddress(ipv4: .random(in: .min ... .max, using: &random))
            let bit = UInt32.random(in: 0..<32, using: &random)
            let second = IPAddress(ipv4: (first.ipv4 ?? 0) ^ 1 << bit)
            // Of those of other kinds more may stay.
            guard [first, second].allSatisfy({ Self.isGlobal($0) }) else { continue }
            let difference = (pseudonyms.address(first).ipv4 ?? 0) ^ (pseudonyms.address(second).ipv4 ?? 0)
            #expect(difference.leadingZeroBitCount == Int(31 - bit))
        }
        let network = IPAddress(high: 0x2001_0db8_0001_0000, low: 1)
        let others = [IPAddress(high: 0x2001_0db8_0001_0000, low: 3), IPAddress(high: 0x2001_0db8_0001_0001, low: 1)]
        #expect(pseudonyms.address(others[0]).high == pseudonyms.address(network).high)
        #expect(pseudonyms.address(others[0]).low != pseudonyms.address(network).low)
        #expect(pseudonyms.address(others[1]).high ^ pseudonyms.address(network).high == 1)
    }

    private static func isGlobal(_ address: IPAddress) -> Bool {
        guard let number = address.ipv4 else { return false }
        return ![0, 10, 127, 169, 172, 192, 255].contains(number >> 24) && !(224...239).contains(number >> 24)
    }

    @Test func addressesOfAKindStayOfIt() throws {
        let pseudonyms = try #require(pseudonyms)
        for kept in [
            Self.ipv4(127, 0, 0, 1), Self.ipv4(0, 0, 0, 0), Self.ipv4(255, 255, 255, 255), Self.ipv4(224, 0, 0, 251),
            IPAddress(high: 0, low: 0), IPAddress(high: 0, low: 1), IPAddress(high: 0xff02 << 48, low: 0xfb),
        ] { #expect(pseudonyms.address(kept) == kept) }
        #expect(pseudonyms.address(Self.ipv4(10, 1, 2, 3)).description.hasPrefix("10."))
        #expect(pseudonyms.address(Self.ipv4(192, 168, 2, 3)).description.hasPrefix("192.168."))
        #expect(pseudonyms.address(IPAddress(high: 0xfe80 << 48, low: 7)).high >> 54 == 0xfe80 >> 6)
    }

    @Test func anotherSecretGivesOthers() throws {
        let other = try #require(Pseudonyms(secret: Array(1...16)))
        let mine = try #require(pseudonyms)
        let address = Self.ipv4(198, 51, 100, 7)
        #expect(mine.address(address) != other.address(address))
        #expect(mine.label("example".utf8) != other.label("example".utf8))
    }

    @Test func aLabelBecomesAsManyLetters() throws {
        let pseudonyms = try #require(pseudonyms)
        for label in ["a", "www", "a-long-label-with-more-than-twelve-letters", String(repeating: "x", count: 63)] {
            let letters = pseudonyms.label(label.utf8)
            #expect(letters.count == label.utf8.count)
            #expect(letters.allSatisfy { (0x61...0x7a).contains($0) })
            #expect(letters == pseudonyms.label(label.uppercased().utf8))
            // One letter may become itself.
            #expect(label.utf8.count < 3 || letters != Array(label.utf8))
        }
        #expect(pseudonyms.label("".utf8).isEmpty)
    }
}
