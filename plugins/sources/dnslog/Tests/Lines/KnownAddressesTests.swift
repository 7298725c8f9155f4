import SondeWire
import Testing

@testable import DNSLogPlugin

@Suite struct KnownAddressesTests {
    private static let texts = [
        "192.0.2.1", "1.2.3.4", "255.255.255.255", "256.0.0.1", "1.2.3", "1.2.3.4.5", "", "::", "::1", "fd00:53::2",
        "[::1]", "fe80::1%eth0", "2001:db8:1:2:3:4:5:6", "::ffff:192.0.2.1", "1.2.3.4\0", "\0", "\0\0\0\0\0\0\0\0",
        "12345678", "x1.2.3.4", "10.0.0.100",
    ]

    @Test func anAddressIsTheSameTheFirstTimeAndEveryTime() {
        let known = KnownAddresses(seed: 3)
        for _ in 0..<2 {
            for text in Self.texts {
                for (before, after) in [("", ""), ("client ", ""), ("", " and so on and on"), ("from ", "#53: query")] {
                    Array((before + text + after).utf8).withUnsafeBytes { bytes in
                        let line = LogBytes(bytes)
                        let (start, end) = (before.utf8.count, before.utf8.count + text.utf8.count)
                        #expect(known.address(in: line, start, end) == line.part(start, end).address, "'\(text)'")
                    }
                }
            }
        }
    }

    @Test func theAddressBehindTheLastSpaceIsTheSameEveryTime() {
        let known = KnownAddresses(seed: 3)
        for _ in 0..<2 {
            for text in Self.texts {
                for before in ["", " ", "query[A] a.example from "] {
                    Array((before + text).utf8).withUnsafeBytes { bytes in
                        let (found, alone) = (known.lastAddress(of: LogBytes(bytes)), LogBytes(bytes).lastAddress)
                        #expect(found?.address == alone?.address, "'\(before)\(text)'")
                        #expect(found?.start == alone?.start, "'\(before)\(text)'")
                    }
                }
            }
        }
    }

    @Test func addressesThatPushEachOtherOutStayTheirOwn() {
        let known = KnownAddresses(seed: 3)
        for _ in 0..<2 {
            for number in 0..<20_000 as Range<UInt32> {
                let address = IPAddress(ipv4: 0x0a00_0000 | number &* 7)
                Array("client \(address) asked for something".utf8).withUnsafeBytes { bytes in
                    let line = LogBytes(bytes)
                    #expect(known.address(in: line, 7, line.space(from: 7)) == address)
                }
            }
        }
    }
}
