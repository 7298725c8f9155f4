extension LogBytes {
    /// Where `byte` first is at or after `start`; the count where it is not.
    ///
    /// Sixteen bytes at a time: what is looked for in a line is near, and a call costs more than that.
    @inline(always)
    func index(of byte: UInt8, from start: Int = 0) -> Int {
        guard start >= 0 else { return count }
        var index = start
        while index &+ ByteBlock.size <= count {
            let found = ByteBlock(base + index).places(of: byte)
            if found != 0 { return index &+ found.trailingZeroBitCount }
            index &+= ByteBlock.size
        }
        guard index < count else { return count }
        let last = count &- ByteBlock.size
        guard last >= 0 else { return shortIndex(of: byte, from: index) }
        // The last block overlaps the one before it.
        let found =
            ByteBlock(base + last).places(of: byte) &>> UInt32(truncatingIfNeeded: index &- last)
        return found == 0 ? count : index &+ found.trailingZeroBitCount
    }

    @inline(never)
    private func shortIndex(of byte: UInt8, from start: Int) -> Int {
        var index = start
        while index < count, base.load(fromByteOffset: index, as: UInt8.self) != byte { index &+= 1 }
        return index
    }

    /// Where the next space is; the count where there is none.
    @inline(always)
    func space(from start: Int) -> Int { index(of: 0x20, from: start < 0 ? 0 : start) }

    /// Where the last space before `end` is, or -1.
    @inline(always)
    func lastSpace(before end: Int) -> Int { lastIndex(of: 0x20, before: end) }

    /// Where `byte` is last before `end`, or -1.
    @inline(always)
    func lastIndex(of byte: UInt8, before end: Int) -> Int {
        var index = end < count ? end : count
        while index >= ByteBlock.size {
            let found = ByteBlock(base + (index &- ByteBlock.size)).places(of: byte)
            if found != 0 { return index &- (found.leadingZeroBitCount &- 15) }
            index &-= ByteBlock.size
        }
        index &-= 1
        while index >= 0, base.load(fromByteOffset: index, as: UInt8.self) != byte { index &-= 1 }
        return index < 0 ? -1 : index
    }

    /// The same as ``index(of:from:)``, for what nearly always is among the next sixteen bytes.
    @inline(always)
    func near(_ byte: UInt8, from start: Int) -> Int {
        if UInt(bitPattern: start) < UInt(bitPattern: blockCount) {
            let found = ByteBlock(base + start).places(of: byte)
            if found != 0 { return start &+ found.trailingZeroBitCount }
        }
        return far(byte, from: start)
    }

    /// The same as ``lastIndex(of:before:)``, for what nearly always is among the sixteen bytes before.
    @inline(always)
    func lastNear(_ byte: UInt8, before end: Int) -> Int {
        if end >= ByteBlock.size, end <= count {
            let found = ByteBlock(base + (end &- ByteBlock.size)).places(of: byte)
            if found != 0 { return end &- (found.leadingZeroBitCount &- 15) }
        }
        return lastFar(byte, before: end)
    }

    @inline(never)
    private func lastFar(_ byte: UInt8, before end: Int) -> Int { lastIndex(of: byte, before: end) }

    @inline(never)
    private func far(_ byte: UInt8, from start: Int) -> Int { index(of: byte, from: start) }

    /// Whether one of the `first` bytes of a word, from the lowest on and eight at most, is `byte`.
    @inline(__always)
    static func has(_ byte: UInt8, in word: UInt64, first: Int) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let differences = (word ^ ones &* UInt64(byte)) | (first >= 8 ? 0 : UInt64.max &<< UInt64(first &* 8))
        return (differences &- ones) & ~differences & (ones &* 0x80) != 0
    }

    /// Where `text` first is at or after `start`, or nil.
    @inline(always)
    func find(_ text: StaticString, from start: Int = 0) -> Int? {
        var index = start
        while true {
            index = self.index(of: text.utf8Start.pointee, from: index)
            guard index < count else { return nil }
            if has(text, at: index) { return index }
            index &+= 1
        }
    }

    /// A decimal number of 1 to 18 digits, or nil for anything else.
    @inline(always)
    var number: UInt64? {
        guard count > 0, count <= 18 else { return nil }
        var value: UInt64 = 0
        for index in 0..<count {
            let digit = base.load(fromByteOffset: index, as: UInt8.self) &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        return value
    }

    /// A decimal number with or without a fraction, as billionths: seconds as nanoseconds.
    ///
    /// Nil for anything else, and for more than 9 digits before the point; digits after the ninth are left out.
    @inline(always)
    var billionths: UInt64? {
        // Six digits after the point: what nearly all of them have.
        let front = count &- 8
        guard front >= 0, front <= 8, self[front &+ 1] == 0x2e else { return anyBillionths }
        let word = wholeWord(front)
        let millionths = Self.decimal(word & ~0xffff | (word & 0xff) &<< 8 | 0x30)
        guard millionths != .max else { return nil }
        guard front > 0 else { return millionths &* 1000 }
        return part(0, front).number.map { $0 &* 10_000_000_000 &+ millionths &* 1000 }
    }

    /// Seconds as nanoseconds; ``LogEvent/Outcome/unknownLatency`` for a number that is below zero or larger than a duration
    /// can be, as clocks make it that are set; nil for anything else.
    @inline(always)
    var nanoseconds: UInt64? { billionths ?? (isOddNumber ? LogEvent.Outcome.unknownLatency : nil) }

    /// Whether it is a decimal number of up to 24 bytes, with or without sign and fraction.
    @inline(never)
    private var isOddNumber: Bool {
        var index = self[0] == 0x2d ? 1 : 0
        guard count <= 24, self[index] &- 0x30 < 10 else { return false }
        while self[index] &- 0x30 < 10 { index &+= 1 }
        guard self[index] == 0x2e else { return index == count }
        index &+= 1
        while self[index] &- 0x30 < 10 { index &+= 1 }
        return index == count
    }

    /// A number with three digits after the point, as thousandths; nil for anything else.
    @inline(always)
    private var threeDecimals: UInt64? {
        let point = count &- 4
        guard point > 0, point <= 9, self[point] == 0x2e, let whole = part(0, point).number else { return nil }
        let digits = (self[point &+ 1] &- 0x30, self[point &+ 2] &- 0x30, self[point &+ 3] &- 0x30)
        guard digits.0 < 10, digits.1 < 10, digits.2 < 10 else { return nil }
        return whole &* 1000 &+ UInt64(digits.0) &* 100 &+ UInt64(digits.1) &* 10 &+ UInt64(digits.2)
    }

    /// The number that eight digits are, the first one lowest; the largest one where a byte is no digit.
    @inline(always)
    static func decimal(_ digits: UInt64) -> UInt64 {
        let values = digits ^ 0x3030_3030_3030_3030
        let large = (values &+ 0x7676_7676_7676_7676) | values
        let pairs = (values &* 2561) &>> 8 & 0x00ff_00ff_00ff_00ff
        let fours = (pairs &* 6_553_601) &>> 16 & 0x0000_ffff_0000_ffff
        return large & 0x8080_8080_8080_8080 == 0 ? (fours &* 42_949_672_960_001) &>> 32 : .max
    }

    @inline(never)
    private var anyBillionths: UInt64? {
        if let thousandths = threeDecimals { return thousandths &* 1_000_000 }
        let point = index(of: 0x2e)
        guard point <= 9, let whole = part(0, point).number else { return nil }
        guard point < count else { return whole &* 1_000_000_000 }
        guard count &- point > 1 else { return nil }
        var fraction: UInt64 = 0
        var scale: UInt64 = 100_000_000
        for index in (point &+ 1)..<count {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            fraction = fraction &+ UInt64(digit) &* scale
            scale /= 10
        }
        return whole &* 1_000_000_000 &+ fraction
    }
}
