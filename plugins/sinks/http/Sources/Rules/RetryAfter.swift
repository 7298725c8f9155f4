internal import SondeDomain

/// The wait that a receiver requests: the `Retry-After` field of RFC 9110, section 10.2.3.
enum RetryAfter {
    /// The longest wait that is passed on.
    static let longest = Nanoseconds.seconds(900)
    /// The wait for a field that cannot be read.
    static let unreadable = Nanoseconds.seconds(10)

    /// The wait that a response requests, or nil when it carries no such field.
    static func wait(_ head: ResponseHead) -> Nanoseconds? {
        wait(head.values("retry-after").map(\.bytes), date: head.values("date").last?.bytes)
    }

    /// The wait that `values` request, or nil when there are none.
    ///
    /// Seconds, or a date from which the response's own `Date` is taken off: the local clock may be wrong, and the
    /// receiver's is the one that it counted with. The past and negative numbers mean no wait, what cannot be read means
    /// ``unreadable``, of several fields the longest holds, and ``longest`` bounds it.
    static func wait(_ values: [[UInt8]], date: [UInt8]?) -> Nanoseconds? {
        values.map { wait($0, date: date) }.max()
    }

    private static func wait(_ value: [UInt8], date: [UInt8]?) -> Nanoseconds {
        if let seconds = wholeSeconds(value) {
            return clamped(seconds)
        }
        guard let until = HTTPDate(value), let now = date.flatMap(HTTPDate.init) else { return unreadable }
        return clamped(until.seconds - now.seconds)
    }

    private static func clamped(_ seconds: Int64) -> Nanoseconds {
        min(max(.zero, .seconds(seconds)), longest)
    }

    // Saturates: a number of any length is a number.
    private static func wholeSeconds(_ value: [UInt8]) -> Int64? {
        let isNegative = value.first == 0x2d
        let digits = value.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let bound = Int64(1) << 40
        let number = digits.reduce(Int64(0)) { min($0 * 10 + Int64($1 - 0x30), bound) }
        return isNegative ? -number : number
    }
}

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

/// Walks over the bytes of an HTTP date.
struct DateScanner {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let shortDays: Set = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays: Set = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) {
        rest = text[...]
    }

    /// The date, if the text is one as a whole.
    mutating func scan() -> DateParts? {
        guard let weekday = word() else { return nil }
        let parts: DateParts?
        if Self.longDays.contains(weekday) {
            parts = skip(", ") ? obsoleteForm() : nil
        } else if Self.shortDays.contains(weekday) {
            parts = skip(", ") ? preferredForm() : skip(" ") ? asctimeForm() : nil
        } else {
            parts = nil
        }
        return rest.isEmpty ? parts : nil
    }

    // 06 Nov 1994 08:49:37 GMT
    private mutating func preferredForm() -> DateParts? {
        guard let day = number(digits: 2), skip(" "), let month = month(), skip(" "), let year = number(digits: 4),
            skip(" "), let time = time(), skip(" GMT")
        else { return nil }
        return parts(year, month, day, time)
    }

    // 06-Nov-94 08:49:37 GMT. Two digits of a year are read as POSIX strptime(3) does: 69 to 99 are in the twentieth
    // century. The rule of RFC 9110 needs today's date, and this parser has no clock.
    private mutating func obsoleteForm() -> DateParts? {
        guard let day = number(digits: 2), skip("-"), let month = month(), skip("-"), let year = number(digits: 2),
            skip(" "), let time = time(), skip(" GMT")
        else { return nil }
        return parts(year < 69 ? year + 2_000 : year + 1_900, month, day, time)
    }

    // Nov  6 08:49:37 1994
    private mutating func asctimeForm() -> DateParts? {
        guard let month = month(), skip(" ") else { return nil }
        let day = skip(" ") ? number(digits: 1) : number(digits: 2)
        guard let day, skip(" "), let time = time(), skip(" "), let year = number(digits: 4) else { return nil }
        return parts(year, month, day, time)
    }

    private func parts(_ year: Int64, _ month: Int64, _ day: Int64, _ time: (Int64, Int64, Int64)) -> DateParts {
        DateParts(year: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
    }

    private mutating func time() -> (Int64, Int64, Int64)? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2)
        else { return nil }
        return (hour, minute, second)
    }

    private mutating func month() -> Int64? {
        guard let name = word(), let index = Self.months.firstIndex(of: name) else { return nil }
        return Int64(index) + 1
    }

    private mutating func word() -> String? {
        let letters = rest.prefix { (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }
        guard !letters.isEmpty, letters.count <= 9 else { return nil }
        rest = rest.dropFirst(letters.count)
        return String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
    }

    private mutating func number(digits count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }
}
