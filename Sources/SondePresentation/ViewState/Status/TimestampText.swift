internal import SondeDomain

/// Reads the instants that the agent writes, `2026-01-01T00:00:00.000Z`.
enum TimestampText {
    /// The instant; nil for any other text.
    static func parse(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        let form = Array("dddd-dd-ddTdd:dd:dd.dddZ".utf8)
        guard bytes.count == form.count else { return nil }
        var numbers: [Int64] = []
        var isInNumber = false
        for (byte, wanted) in zip(bytes, form) {
            guard wanted == UInt8(ascii: "d") else {
                guard byte == wanted else { return nil }
                isInNumber = false
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Int64(byte &- UInt8(ascii: "0"))
            if isInNumber, let last = numbers.popLast() {
                numbers.append(last * 10 + digit)
            } else {
                numbers.append(digit)
            }
            isInNumber = true
        }
        guard numbers.count == 7, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        let seconds =
            days(numbers[0], numbers[1], numbers[2]) * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
        return Timestamp(nanoseconds: Timestamp(seconds: seconds).nanoseconds &+ numbers[6] &* 1_000_000)
    }

    /// Days since 1970-01-01 in the Gregorian calendar; years begin in March, so that leap days come last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
