extension LogBytes {
    /// Where `byte` first is at or behind `start`; the count where it is not.
    ///
    /// Eight bytes at a time: what is looked for in a line is near, and a call costs more than that.
    @inline(__always)
    func index(of byte: UInt8, from start: Int = 0) -> Int {
        guard start >= 0 else { return count }
        var index = start
        while index &+ 8 <= count {
            let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let found = Self.places(of: byte, in: word.littleEndian)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count, base.load(fromByteOffset: index, as: UInt8.self) != byte { index &+= 1 }
        return min(index, count)
    }

    /// Where the next space is; the count where there is none.
    @inline(__always)
    func space(from start: Int) -> Int { index(of: 0x20, from: max(start, 0)) }

    /// Where the next `]` is.
    @inline(__always)
    func bracket(from start: Int) -> Int { index(of: 0x5d, from: start) }

    /// The highest bit of each byte of `word` that is `byte`: the lowest one is right, those above it may be false.
    @inline(__always)
    private static func places(of byte: UInt8, in word: UInt64) -> UInt64 {
        let differences = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
        return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
    }

    /// Where the last space before `end` is, or -1.
    @inline(__always)
    func lastSpace(before end: Int) -> Int {
        var index = min(end, count) &- 1
        while index >= 0, base.load(fromByteOffset: index, as: UInt8.self) != 0x20 { index &-= 1 }
        return index
    }

    /// Where `text` first is at or behind `start`, or nil.
    @inline(__always)
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
    @inline(__always)
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
    /// Nil for anything else, and for more than 9 digits before the point; digits behind the ninth are left out.
    var billionths: UInt64? {
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
