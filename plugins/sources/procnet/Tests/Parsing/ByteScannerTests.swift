import Testing

@testable import ProcNetPlugin

@Suite struct ByteScannerTests {
    private func number(_ text: String) -> KernelNumber? {
        Array(text.utf8).withUnsafeBytes { bytes in
            var scanner = ByteScanner(bytes)
            return scanner.number()
        }
    }

    @Test(arguments: [
        ("0", 0), ("7\n", 7), ("0012", 12), ("9223372036854775808", 1 << 63), ("18446744073709551615", UInt64.max),
        ("00000000000000000000000000005", 5),
    ])
    func everyUnsignedValueIsExact(text: String, value: UInt64) {
        #expect(number(text) == .unsigned(value))
    }

    @Test(arguments: [
        "18446744073709551616", "99999999999999999999", "100000000000000000000000000000", "-18446744073709551616",
    ])
    func moreThan64BitsAreOutOfRange(text: String) {
        #expect(number(text)?.form == .outOfRange)
    }

    @Test(arguments: ["", "-", "x", " 1", "+1", "--1"])
    func whatIsNoNumberIsNil(text: String) {
        #expect(number(text) == nil)
    }

    @Test func negativeNumbersReachTheSmallestInteger() {
        #expect(number("-1")?.negated == -1)
        #expect(number("-9223372036854775808")?.negated == .min)
        #expect(number("-9223372036854775809")?.negated == nil)
        #expect(number("-18446744073709551615")?.negated == nil)
    }

    @Test func aWordEndsAtBlankAndLineEnd() {
        Array("  ab\tc\r\nd".utf8).withUnsafeBytes { bytes in
            var scanner = ByteScanner(bytes)
            #expect(scanner.word().map(Array.init) == Array("ab".utf8))
            #expect(scanner.word().map(Array.init) == Array("c".utf8))
            #expect(scanner.word() == nil)
            let endsThere = scanner.skipLineEnd()
            #expect(endsThere)
            #expect(scanner.word().map(Array.init) == Array("d".utf8))
        }
    }

    @Test func anEmptyBufferHasNothing() {
        var scanner = ByteScanner(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(scanner.isAtEnd)
        #expect(scanner.line() == nil)
        #expect(scanner.word() == nil)
        #expect(scanner.number() == nil)
    }
}
