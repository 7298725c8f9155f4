/// A date of an HTTP header field in one of the three forms of RFC 9110, section 5.6.7.
struct HTTPDate: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    let seconds: Int64

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///
    /// Nil for anything else. Names match in any case; the day's name must be one, and need not be the right one.
    init?(_ text: [UInt8]) {
        var scanner = DateScanner(text)
        guard let parts = scanner.scan(), let seconds = parts.secondsSinceEpoch else { return nil }
        self.seconds = seconds
    }
}

/// The numbers of a date before they are checked.
struct DateParts {
    var year: Int64
    var month: Int64
    var day: Int64
    var hour: Int64
    var minute: Int64
    var second: Int64

    /// Nil for a day, hour, minute or second that does not exist; a leap second counts as the next minute's first.
    var secondsSinceEpoch: Int64? {
        guard (0...9_999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day) else { return nil }
        guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
        // Days of the proleptic Gregorian calendar, with years that begin in March so that the leap day comes last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private var daysInMonth: Int64 {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
