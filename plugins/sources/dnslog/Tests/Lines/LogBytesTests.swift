import SondeWire
import Testing

@testable import DNSLogPlugin

@Suite struct LogBytesTests {
    private func with<Result>(_ text: String, _ body: (LogBytes) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes { body(LogBytes($0)) }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
        ("::1", "::1"), ("fd00:53::2", "fd00:53::2"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("1::", "1::"), ("[::1]", "::1"), ("fe80::1%eth0", "fe80::1"), ("::ffff:192.0.2.1", "192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
    ])
    func addressesAreRead(_ text: String, _ shown: String) {
        #expect(with(text) { $0.address?.description } == shown)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1..2.3", "1.2.3.4 ", "0001.2.3.4", ":", ":::", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "1:", "1:2:3:4:5:6:7::8:9", "::1.2.3",
    ])
    func whatIsNoAddressIsNone(_ text: String) {
        #expect(with(text) { $0.address } == nil)
    }

    @Test(arguments: [
        ("0.000294", 294_000), ("1", 1_000_000_000), ("0.0", 0), ("12.5", 12_500_000_000),
        ("12.345000", 12_345_000_000), ("12345678.345001", 12_345_678_345_001_000),
        ("99999999", 99_999_999_000_000_000),
        ("123.4567", 123_456_700_000), ("9.999999", 9_999_999_000),
        ("0.1234567891", 123_456_789),
    ])
    func decimalsAreBillionths(_ text: String, _ value: UInt64) {
        #expect(with(text) { $0.billionths } == value)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "1.x", "-1", "1e3", "12345678901", "0.00029x", "0.0002:4", "/.000294", "x2.345000",
        "0.00\u{ff}94", ".1234567", "1.2.34567", "0..23456",
    ])
    func whatIsNoDecimalIsNone(_ text: String) {
        #expect(with(text) { $0.billionths } == nil)
    }

    @Test func nothingIsReadOutside() {
        with("abc") { bytes in
            #expect(bytes[-1] == 0)
            #expect(bytes[3] == 0)
            #expect(bytes.word(at: 1) == 0x6362)
            #expect(bytes.word(at: 3) == 0)
            #expect(bytes.word(at: -1) == 0)
            #expect(bytes.part(2, 1).isEmpty)
            #expect(bytes.part(-5, 99).count == 3)
            #expect(bytes.find("abcd") == nil)
            #expect(bytes.find("c", from: 2) == 2)
        }
    }

    @Test(arguments: [
        "192.0.2.1", "1.2.3.4", "255.255.255.255", "256.0.0.1", "0.0.0.0", "1.2.3", "1.2.3.4.5", "1..2.3", ".1.2.3",
        "1.2.3.", "1234.1.1.1", "10000000000000000000000000000000001.1.1.1", "1.2.3.4x", "x1.2.3.4", "::1",
        "fe80::1%eth0",
        "2001:db8::1", "", "-", "::ffff:1.2.3.4",
    ])
    func anAddressReadFromTheRightEndIsTheOneReadFromTheLeft(_ text: String) {
        with("query[A] name from \(text)") { line in
            let last = line.lastAddress
            #expect(last?.address == line.from(19).address)
            if let last { #expect(last.start == 19) }
        }
    }
}
