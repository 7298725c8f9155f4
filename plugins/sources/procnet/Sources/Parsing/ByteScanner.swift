internal import Glibc

/// Walks over bytes that nothing is known about: every access is checked, nothing traps.
struct ByteScanner {
    static let newline = UInt8(ascii: "\n")

    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    @inline(__always)
    mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position &+= 1 }
    }

    /// Skips blanks and one line end; false when something else is there.
    mutating func skipLineEnd() -> Bool {
        skipBlanks()
        guard position < bytes.count else { return true }
        guard bytes[position] == Self.newline else { return false }
        position &+= 1
        return true
    }

    /// Skips `expected` when it is here.
    mutating func skip(_ expected: UnsafeRawBufferPointer) -> Bool {
        guard expected.count <= bytes.count &- position else { return false }
        guard let pattern = expected.baseAddress, let start = bytes.baseAddress else { return expected.isEmpty }
        guard memcmp(pattern, start + position, expected.count) == 0 else { return false }
        position &+= expected.count
        return true
    }

    /// Reads digits, with a minus sign perhaps; nil, and nothing skipped, when there is none.
    @inline(__always)
    mutating func number() -> KernelNumber? {
        var cursor = position
        var form = KernelNumber.Form.unsigned
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "-") {
            form = .negative
            cursor &+= 1
        }
        let first = cursor
        var magnitude: UInt64 = 0
        while cursor < bytes.count {
            let digit = bytes[cursor] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // 19 digits always fit into 64 bits.
            if cursor &- first < 19 {
                magnitude = magnitude &* 10 &+ UInt64(digit)
            } else {
                let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
                if overflow || carry { form = .outOfRange }
                magnitude = sum
            }
            cursor &+= 1
        }
        guard cursor > first else { return nil }
        position = cursor
        return KernelNumber(magnitude: magnitude, form: form)
    }

    /// The bytes up to the next line end, without it, which is skipped; nil at the end.
    mutating func line() -> UnsafeRawBufferPointer? {
        guard position < bytes.count, let start = bytes.baseAddress else { return nil }
        let first = start + position
        let rest = bytes.count &- position
        guard let end = memchr(first, Int32(Self.newline), rest) else {
            position = bytes.count
            return UnsafeRawBufferPointer(start: first, count: rest)
        }
        let length = UnsafeRawPointer(end) - first
        position &+= length &+ 1
        return UnsafeRawBufferPointer(start: first, count: length)
    }

    /// The bytes up to the next blank or line end; nil when there are none on this line.
    mutating func word() -> UnsafeRawBufferPointer? {
        skipBlanks()
        let first = position
        while position < bytes.count, !Self.isBlank(bytes[position]), bytes[position] != Self.newline {
            position &+= 1
        }
        guard position > first else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[first..<position])
    }
}

extension ByteScanner {
    /// Reads a line that must hold `count` numbers and nothing else; false, with some of them appended, when not.
    @inline(__always)
    mutating func row(of count: Int, into numbers: inout [KernelNumber]) -> Bool {
        for _ in 0..<count {
            skipBlanks()
            guard let number = number() else { return false }
            numbers.append(number)
            guard isAtEnd || Self.isBlank(bytes[position]) || bytes[position] == Self.newline else { return false }
        }
        return skipLineEnd()
    }
}
