import SondeWire
import Testing

@Suite struct IPAddressTests {
    /// RFC 5952, sections 4 and 5.
    @Test(
        arguments: [
            (0, 0, "::"), (0, 1, "::1"), (0x2001_0db8_0000_0000, 1, "2001:db8::1"),
            (0x2001_0db8_0000_0001, 0x0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1"),
            (0x2001_0000_0000_0001, 0x0000_0000_0000_0001, "2001:0:0:1::1"),
            (0x2001_0db8_0000_0000, 0x0001_0000_0000_0001, "2001:db8::1:0:0:1"),
            (0xfe80_0000_0000_0000, 0, "fe80::"), (0x0001_0002_0003_0004, 0x0005_0006_0007_0008, "1:2:3:4:5:6:7:8"),
            (0, 0x0000_0000_abcd_0000, "::abcd:0"),
            (0x2001_0db8_000a_000b, 0x000c_000d_0000_0000, "2001:db8:a:b:c:d::"),
            (0, 0xffff_c000_0201, "192.0.2.1"), (0, 0xffff_0000_0000, "0.0.0.0"),
        ] as [(UInt64, UInt64, String)])
    func anAddressIsWrittenInItsCanonicalForm(_ high: UInt64, _ low: UInt64, _ text: String) {
        #expect(IPAddress(high: high, low: low).description == text)
    }

    @Test func anIPv4AddressKeepsItsNumber() {
        let address = IPAddress(ipv4: 0xc000_0201)
        #expect(address.isIPv4 && address.ipv4 == 0xc000_0201)
        #expect(IPAddress(high: 0, low: 1).ipv4 == nil)
    }

    @Test func addressesAreOrderedByTheirBytes() {
        let sorted = [IPAddress(high: 1, low: 0), IPAddress(ipv4: 2), IPAddress(high: 0, low: .max)].sorted()
        #expect(sorted == [IPAddress(ipv4: 2), IPAddress(high: 0, low: .max), IPAddress(high: 1, low: 0)])
    }
}
