/// Reads instants of RFC 3339 in UTC: `2026-01-01T00:00:00Z`, with or without a fraction of a second.
public enum InstantText {
    private static let form = Array("dddd-dd-ddTdd:dd:dd".utf8)

    /// The instant; nil for any other text, and for a time of day or a date that does not exist.
    public static func parse(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count > form.count, bytes.last == UInt8(ascii: "Z"), let numbers = numbers(in: bytes) else {
            return nil
        }
        guard (1_678...2_261).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...days(inMonth: numbers[1], of: numbers[0])).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60,
            numbers[5] < 60, let fraction = fraction(bytes[form.count..<(bytes.count - 1)])
        else { return nil }
        let seconds =
            daysSinceEpoch(numbers[0], numbers[1], numbers[2]) * 86_400 + numbers[3] * 3_600 + numbers[4] * 60
            + numbers[5]
        return Timestamp(nanoseconds: Timestamp(seconds: seconds).nanoseconds &+ fraction)
    }

    private static func numbers(in bytes: [UInt8]) -> [Int64]? {
        var numbers: [Int64] = []
        var isInNumber = false
        for (byte, wanted) in zip(bytes, form) {
            guard wanted == UInt8(ascii: "d") else {
                guard byte == wanted else { return nil }
                isInNumber = false
                continue
            }
            guard let digit = digit(byte) else { return nil }
            if isInNumber, let last = numbers.popLast() {
                numbers.append(last * 10 + digit)
            } else {
                numbers.append(digit)
            }
            isInNumber = true
        }
        return numbers
    }

    /// Nanoseconds; digits beyond the ninth are cut.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let point = bytes.first else { return 0 }
        guard point == UInt8(ascii: "."), bytes.count > 1 else { return nil }
        var value: Int64 = 0
        var places = 0
        for byte in bytes.dropFirst() {
            guard let digit = digit(byte) else { return nil }
            guard places < 9 else { continue }
            value = value * 10 + digit
            places += 1
        }
        while places < 9 {
            value *= 10
            places += 1
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte &- UInt8(ascii: "0")) : nil
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar; years begin in March, so that leap days come last.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
