public import SondeDomain

/// Writes instants as RFC 3339 in UTC with milliseconds, and keeps the last one: points of a tick share their time.
struct TimeText {
    private var milliseconds: Int64?
    private var day: Int64?
    private var text: [UInt8] = Array("0000-00-00T00:00:00.000Z".utf8)

    /// Appends `2026-01-01T00:00:00.000Z`, 24 bytes; fractions of a millisecond are cut towards the past.
    mutating func append(_ time: Timestamp, to buffer: inout ByteBuffer) {
        let milliseconds = Self.floor(time.nanoseconds, 1_000_000)
        if milliseconds != self.milliseconds {
            write(milliseconds)
            self.milliseconds = milliseconds
        }
        buffer.append(text)
    }

    private mutating func write(_ milliseconds: Int64) {
        let day = Self.floor(milliseconds, 86_400_000)
        if day != self.day {
            writeDate(day)
            self.day = day
        }
        let ofDay = milliseconds &- day &* 86_400_000
        put(ofDay / 3_600_000, digits: 2, at: 11)
        put(ofDay / 60_000 % 60, digits: 2, at: 14)
        put(ofDay / 1_000 % 60, digits: 2, at: 17)
        put(ofDay % 1_000, digits: 3, at: 20)
    }

    // Days to a date of the proleptic Gregorian calendar, with years that begin in March so that the leap day comes
    // last. Int64 nanoseconds reach from 1677 to 2262: the year always has four digits.
    private mutating func writeDate(_ day: Int64) {
        let shifted = day &+ 719_468
        let era = Self.floor(shifted, 146_097)
        let ofEra = shifted &- era &* 146_097
        let yearOfEra = (ofEra &- ofEra / 1_460 &+ ofEra / 36_524 &- ofEra / 146_096) / 365
        let ofYear = ofEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let marchMonth = (5 &* ofYear &+ 2) / 153
        let month = marchMonth < 10 ? marchMonth &+ 3 : marchMonth &- 9
        put(yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), digits: 4, at: 0)
        put(month, digits: 2, at: 5)
        put(ofYear &- (153 &* marchMonth &+ 2) / 5 &+ 1, digits: 2, at: 8)
    }

    private mutating func put(_ number: Int64, digits: Int, at start: Int) {
        var rest = number
        for index in stride(from: start + digits - 1, through: start, by: -1) {
            text[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        }
    }

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient &- 1 : quotient
    }
}

extension ByteBuffer {
    /// Appends an instant as RFC 3339 in UTC with milliseconds, `2026-01-01T00:00:00.000Z`.
    public mutating func append(time: Timestamp) {
        var text = TimeText()
        text.append(time, to: &self)
    }
}
