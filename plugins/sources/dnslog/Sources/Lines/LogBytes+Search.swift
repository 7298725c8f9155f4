internal import Glibc

extension LogBytes {
    /// Where `byte` first is at or behind `start`; the count where it is not.
    @inline(__always)
    func index(of byte: UInt8, from start: Int = 0) -> Int {
        guard start >= 0, start < count else { return count }
        guard let found = memchr(base + start, Int32(byte), count &- start) else { return count }
        return UnsafeRawPointer(found) - base
    }

    /// Where the next space is, for words that are short.
    @inline(__always)
    func space(from start: Int) -> Int {
        var index = max(start, 0)
        while index < count, base.load(fromByteOffset: index, as: UInt8.self) != 0x20 { index &+= 1 }
        return index
    }

    /// Where the next `]` is, for words of less than eight letters without a branch per letter.
    @inline(__always)
    func bracket(from start: Int) -> Int {
        let differences = word(at: start) ^ 0x5d5d_5d5d_5d5d_5d5d
        let found = (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
        return found != 0 ? start &+ found.trailingZeroBitCount &>> 3 : index(of: 0x5d, from: start)
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
