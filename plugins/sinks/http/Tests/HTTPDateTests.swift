import Testing

@testable import HTTPPlugin

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Mon Jan 19 03:14:08 2038", 2_147_483_648), ("Friday, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
        ("Wednesday, 01-Jan-69 00:00:00 GMT", -31_536_000), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("sun, 06 nov 1994 08:49:37 GMT", 784_111_777),
    ])
    func aDateIsReadInEachForm(text: String, seconds: Int64) {
        #expect(HTTPDate(Array(text.utf8))?.seconds == seconds)
    }

    @Test(arguments: [
        "", "Sun", "Sun, ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "06 Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        "Sun,\u{0}06 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ])
    func anythingElseIsNoDate(text: String) {
        #expect(HTTPDate(Array(text.utf8)) == nil)
    }

    @Test func everyCutOfADateIsHarmless() {
        let text = Array("Sunday, 06-Nov-94 08:49:37 GMT".utf8)
        for length in 0..<text.count { #expect(HTTPDate(Array(text[..<length])) == nil) }
    }
}
