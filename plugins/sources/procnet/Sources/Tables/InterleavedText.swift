/// The text between the numbers of a file in which names and numbers alternate.
///
/// While the text stays the same, only the numbers are parsed.
struct InterleavedText {
    private var text: [UInt8] = []
    private var ends: [Int] = []

    /// Takes `text` as what stands before the next number.
    mutating func append(_ text: UnsafeRawBufferPointer) {
        self.text.append(contentsOf: text)
        ends.append(self.text.count)
    }

    /// Reads every number; false, with `numbers` undefined, when any other text stands between them.
    func scan(_ bytes: UnsafeRawBufferPointer, into numbers: inout [KernelNumber]) -> Bool {
        guard !ends.isEmpty else { return false }
        numbers.removeAll(keepingCapacity: true)
        var scanner = ByteScanner(bytes)
        return text.withUnsafeBytes { text in
            var first = 0
            for end in ends {
                guard scanner.skip(UnsafeRawBufferPointer(rebasing: text[first..<end])) else { return false }
                first = end
                guard let number = scanner.number() else { return false }
                numbers.append(number)
            }
            return scanner.skipLineEnd() && scanner.isAtEnd
        }
    }
}
