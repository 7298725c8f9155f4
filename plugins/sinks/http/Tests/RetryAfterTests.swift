import SondeDomain
import Testing

@testable import HTTPPlugin

/// The wait that a receiver requests.
@Suite struct RetryAfterTests {
    private static let now = "Thu, 01 Jan 2026 00:00:00 GMT"
    private static let cases: [(values: [String], date: String?, seconds: Int64?)] = [
        ([], nil, nil), (["0"], nil, 0), (["120"], nil, 120), (["900"], nil, 900), (["901"], nil, 900),
        (["99999999999"], nil, 900), (["9223372036854775808"], nil, 900), (["-5"], nil, 0),
        (["-99999999999999999999999"], nil, 0), (["abc"], nil, 10), ([""], nil, 10), (["-"], nil, 10),
        (["1.5"], nil, 10), (["+5"], nil, 10), (["5 s"], nil, 10), (["0x10"], nil, 10),
        (["Thu, 01 Jan 2026 00:01:30 GMT"], now, 90), (["Wed, 31 Dec 2025 23:59:00 GMT"], now, 0),
        (["Fri, 02 Jan 2026 00:00:00 GMT"], now, 900), (["Thursday, 01-Jan-26 00:00:20 GMT"], now, 20),
        (["Thu Jan  1 00:00:20 2026"], now, 20), (["Thu, 01 Jan 2026 00:01:30 GMT"], nil, 10),
        (["Thu, 01 Jan 2026 00:01:30 GMT"], "yesterday", 10), (["7", "30"], nil, 30), (["30", "7"], nil, 30),
        (["3", "abc"], nil, 10), (["60", "abc"], nil, 60),
    ]

    @Test(arguments: cases)
    func aWaitIsReadAndBounded(values: [String], date: String?, seconds: Int64?) {
        let wait = RetryAfter.wait(values.map { Array($0.utf8) }, date: date.map { Array($0.utf8) })
        #expect(wait == seconds.map(Nanoseconds.seconds))
    }
}
