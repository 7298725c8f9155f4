/// Reads the time at the beginning of a line, in any of the ways in which resolvers, syslog and journald write it.
///
/// The zone is left out and a missing year is year 0: the result shows how much later another line was written.
struct TimeReader {
    /// Milliseconds; see the type.
    private(set) var time: Int64 = 0
    /// Where the time ends.
    private(set) var end: Int
    private let line: LogBytes
    /// Where the fraction begins, or would.
    private var wholeEnd = 0
    private var form = Form.bare

    /// What follows the fraction of a time.
    enum Form {
        case bare
        /// A closing bracket.
        case bracketed
        /// A space.
        case spaced
        /// A zone, perhaps.
        case zoned
    }

    init(_ line: LogBytes, _ position: Int) {
        self.line = line
        end = position
    }

    /// Whether there is a time; what is known of the last one is made use of.
    @inline(__always)
    mutating func read(_ known: inout KnownTime) -> Bool {
        if let whole = known.end(in: line, from: end), finish(known.milliseconds, whole, known.form) { return true }
        return readAnew(&known)
    }

    @inline(never)
    private mutating func readAnew(_ known: inout KnownTime) -> Bool {
        let start = end
        guard read() else { return false }
        var index = wholeEnd
        known.keep(line, start, wholeEnd, time &- fraction(&index), form)
        return true
    }

    private mutating func read() -> Bool {
        switch line[end] {
        case 0x5b: return readBracketed()
        case 0x30...0x39: return readNumeric()
        case 0x41...0x5a: return readMonthName()
        default: return false
        }
    }

    /// `[1795223093]` or with a fraction.
    private mutating func readBracketed() -> Bool {
        var index = end &+ 1
        guard let seconds = digits(&index, 9...12) else { return false }
        return finish(seconds &* 1000, index, .bracketed)
    }

    private mutating func readNumeric() -> Bool {
        switch (line[end &+ 2], line[end &+ 4]) {
        case (_, 0x2d), (_, 0x2f): return readDate()
        case (0x2d, _): return readDayFirst()
        default:
            var index = end
            guard let seconds = digits(&index, 9...12) else { return false }
            return finish(seconds &* 1000, index, .spaced)
        }
    }

    /// `2026-11-21T01:06:03.123456+01:00`, with a space or slashes too.
    private mutating func readDate() -> Bool {
        var index = end
        let dash = line[end &+ 4]
        guard let year = digits(&index, 4...4), line[index] == dash else { return false }
        index &+= 1
        guard let month = digits(&index, 2...2), line[index] == dash else { return false }
        index &+= 1
        guard let day = digits(&index, 2...2), line[index] == 0x54 || line[index] == 0x20 else { return false }
        index &+= 1
        guard let seconds = clock(&index) else { return false }
        return finish((Self.days(year, month, day) &* 86_400 &+ seconds) &* 1000, index, .zoned)
    }

    /// `21-Nov-2026 01:06:03.123`.
    private mutating func readDayFirst() -> Bool {
        var index = end
        guard let day = digits(&index, 2...2), let month = month(at: index &+ 1) else { return false }
        index &+= 4
        guard line[index] == 0x2d else { return false }
        index &+= 1
        guard let year = digits(&index, 4...4), line[index] == 0x20 else { return false }
        index &+= 1
        guard let seconds = clock(&index) else { return false }
        return finish((Self.days(year, month, day) &* 86_400 &+ seconds) &* 1000, index, .bare)
    }

    /// `Nov 21 01:06:03`, whose day may have one digit and a space before it.
    private mutating func readMonthName() -> Bool {
        guard let month = month(at: end), line[end &+ 3] == 0x20 else { return false }
        var index = end &+ 4
        if line[index] == 0x20 { index &+= 1 }
        guard let day = digits(&index, 1...2), line[index] == 0x20 else { return false }
        index &+= 1
        guard let seconds = clock(&index) else { return false }
        return finish((Self.days(0, month, day) &* 86_400 &+ seconds) &* 1000, index, .bare)
    }

    /// Reads what follows the second; false when it is not allowed there.
    @inline(__always)
    private mutating func finish(_ milliseconds: Int64, _ whole: Int, _ form: Form) -> Bool {
        var index = whole
        let fraction = self.fraction(&index)
        switch form {
        case .bare: break
        case .bracketed:
            guard line[index] == 0x5d else { return false }
            index &+= 1
        case .spaced: guard line[index] == 0x20 else { return false }
        case .zoned: skipZone(&index)
        }
        wholeEnd = whole
        self.form = form
        time = milliseconds &+ fraction
        end = index
        return true
    }
}

extension TimeReader {
    private func digits(_ index: inout Int, _ lengths: ClosedRange<Int>) -> Int64? {
        var value: Int64 = 0
        let start = index
        while line[index] &- 0x30 < 10, index &- start < lengths.upperBound {
            value = value &* 10 &+ Int64(line[index] &- 0x30)
            index &+= 1
        }
        return index &- start >= lengths.lowerBound ? value : nil
    }

    /// `01:06:03` as seconds.
    private func clock(_ index: inout Int) -> Int64? {
        guard let hour = digits(&index, 2...2), line[index] == 0x3a else { return nil }
        index &+= 1
        guard let minute = digits(&index, 2...2), line[index] == 0x3a else { return nil }
        index &+= 1
        guard let second = digits(&index, 2...2) else { return nil }
        return hour &* 3600 &+ minute &* 60 &+ second
    }

    /// `.123` or `,123` as milliseconds; 0 when there is none.
    @inline(__always)
    private func fraction(_ index: inout Int) -> Int64 {
        guard line[index] == 0x2e || line[index] == 0x2c else { return 0 }
        index &+= 1
        if let thousandths = Self.thousandths(line.word(at: index)) {
            index &+= 3
            return thousandths
        }
        return anyFraction(&index)
    }

    /// The number that the first three bytes of `word` are, the first one lowest; nil where they are no digits, or a fourth
    /// one follows.
    @inline(__always)
    static func thousandths(_ word: UInt64) -> Int64? {
        let digits = Int64(truncatingIfNeeded: word & 0xff_ffff ^ 0x30_3030)
        guard
            ((digits &+ 0x76_7676) | digits) & 0x80_8080 == 0, UInt8(truncatingIfNeeded: word &>> 24) &- 0x30 > 9
        else { return nil }
        return (digits & 0xff) &* 100 &+ (digits &>> 8 & 0xff) &* 10 &+ digits &>> 16
    }

    /// Where the digits of the fraction are, when it has three of them; 0 otherwise.
    var thousandths: Int {
        guard line[wholeEnd] == 0x2e || line[wholeEnd] == 0x2c else { return 0 }
        return Self.thousandths(line.word(at: wholeEnd &+ 1)) == nil ? 0 : wholeEnd &+ 1
    }

    @inline(never)
    private func anyFraction(_ index: inout Int) -> Int64 {
        var value: Int64 = 0
        var scale: Int64 = 100
        while line[index] &- 0x30 < 10 {
            value = value &+ Int64(line[index] &- 0x30) &* scale
            scale /= 10
            index &+= 1
        }
        return value
    }

    private func skipZone(_ index: inout Int) {
        if line[index] == 0x5a {
            index &+= 1
            return
        }
        guard line[index] == 0x2b || line[index] == 0x2d else { return }
        index &+= 1
        while line[index] &- 0x30 < 10 || line[index] == 0x3a { index &+= 1 }
    }

    private func month(at index: Int) -> Int64? {
        // Three letters as one number.
        switch line.word(at: index) & 0xff_ffff {
        case 0x6e_614a: 1
        case 0x62_6546: 2
        case 0x72_614d: 3
        case 0x72_7041: 4
        case 0x79_614d: 5
        case 0x6e_754a: 6
        case 0x6c_754a: 7
        case 0x67_7541: 8
        case 0x70_6553: 9
        case 0x74_634f: 10
        case 0x76_6f4e: 11
        case 0x63_6544: 12
        default: nil
        }
    }

    /// Days since the beginning of year 0, counted from March (Hinnant, "chrono-compatible low-level date algorithms").
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year &- 1
        let era = (shifted >= 0 ? shifted : shifted &- 399) / 400
        let yearOfEra = shifted &- era &* 400
        let dayOfYear = (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
        return era &* 146_097 &+ yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    }
}
