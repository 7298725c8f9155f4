/// The text between the numbers of a file in which names and numbers alternate.
///
/// While the text stays the same, only the numbers are parsed.
struct InterleavedText {
    private var text: [UInt8] = []
    private var ends: [Int] = []

    /// Takes `text` as what precedes the next number.
    mutating func append(_ text: UnsafeRawBufferPointer) {
        self.text.append(contentsOf: text)
        ends.append(self.text.count)
    }

    /// Learns the text of a file from its lines, blank ones left out: `take` appends the values of a line to what is learnt.
    mutating func learn(
        _ bytes: UnsafeRawBufferPointer,
        into numbers: inout [KernelNumber],
        problems: inout InputProblemCounts,
        _ take: (UnsafeRawBufferPointer, inout Lesson, inout InputProblemCounts) -> Void
    ) {
        let problemsBefore = problems.total
        var lesson = Lesson(bytes, numbers)
        var scanner = ByteScanner(bytes)
        while !scanner.isAtEnd {
            lesson.lineStart = scanner.position
            guard let line = scanner.line(), line.contains(where: { !ByteScanner.isBlank($0) }) else { continue }
            take(line, &lesson, &problems)
        }
        numbers = lesson.numbers
        // What was left out is counted at every reading.
        self = problems.total == problemsBefore ? lesson.text : InterleavedText()
    }

    /// Reads every number; false, with `numbers` undefined, when any other text is between them.
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

extension InterleavedText {
    /// What was learnt of a file so far.
    struct Lesson {
        fileprivate var text = InterleavedText()
        fileprivate(set) var numbers: [KernelNumber]
        fileprivate var lineStart = 0
        private var textStart = 0
        private let bytes: UnsafeRawBufferPointer

        fileprivate init(_ bytes: UnsafeRawBufferPointer, _ numbers: [KernelNumber]) {
            self.bytes = bytes
            self.numbers = numbers
            self.numbers.removeAll(keepingCapacity: true)
        }

        /// Takes a value at `place` of the current line.
        mutating func append(_ value: KernelNumber, at place: Range<Int>) {
            text.append(UnsafeRawBufferPointer(rebasing: bytes[textStart..<(lineStart + place.lowerBound)]))
            textStart = lineStart + place.upperBound
            numbers.append(value)
        }
    }
}
