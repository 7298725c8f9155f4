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
