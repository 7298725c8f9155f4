/// `/proc/net/snmp6`: one name and one value per line (`snmp6_seq_show`, net/ipv6/proc.c).
///
///     Ip6InReceives                   	1
struct NameValueTable: TableFormat {
    private let choice: CounterChoice
    private var layout = InterleavedText()

    init(_ choice: CounterChoice = CounterChoice([CounterChoice.allWord])) {
        self.choice = choice
    }

    mutating func scan(_ bytes: UnsafeRawBufferPointer, into numbers: inout [KernelNumber]) -> Bool {
        layout.scan(bytes, into: &numbers)
    }

    mutating func learn(
        _ bytes: UnsafeRawBufferPointer,
        limits: TableLimits,
        into numbers: inout [KernelNumber],
        problems: inout InputProblemCounts
    ) -> [TableSection] {
        layout = InterleavedText()
        let problemsBefore = problems.total
        numbers.removeAll(keepingCapacity: true)
        var scanner = ByteScanner(bytes)
        var names: [String] = []
        var seen: Set<String> = []
        var textStart = 0
        while !scanner.isAtEnd {
            let lineStart = scanner.position
            guard let line = scanner.line(), line.contains(where: { !ByteScanner.isBlank($0) }) else { continue }
            guard let pair = Self.pair(line, &problems) else { continue }
            guard names.count < limits.columns else {
                problems.count(.columnLimit)
                continue
            }
            guard seen.insert(pair.name).inserted else {
                problems.count(.duplicate)
                continue
            }
            let valueStart = lineStart + pair.valueStart
            layout.append(UnsafeRawBufferPointer(rebasing: bytes[textStart..<valueStart]))
            textStart = lineStart + pair.valueEnd
            names.append(pair.name)
            numbers.append(pair.value)
        }
        // What was left out is counted at every reading.
        if problems.total != problemsBefore { layout = InterleavedText() }
        return names.isEmpty ? [] : [section(names)]
    }

    private static func pair(
        _ line: UnsafeRawBufferPointer,
        _ problems: inout InputProblemCounts
    ) -> (name: String, value: KernelNumber, valueStart: Int, valueEnd: Int)? {
        var scanner = ByteScanner(line)
        guard let word = scanner.word(), word.count <= KernelText.longestName else {
            problems.count(.malformedName)
            return nil
        }
        scanner.skipBlanks()
        let valueStart = scanner.position
        guard let value = scanner.number() else {
            problems.count(.rowMismatch)
            return nil
        }
        let valueEnd = scanner.position
        guard scanner.skipLineEnd(), scanner.isAtEnd else {
            problems.count(.rowMismatch)
            return nil
        }
        return (KernelText.name(word), value, valueStart, valueEnd)
    }

    private func section(_ names: [String]) -> TableSection {
        let choice = choice
        return TableSection(key: names.joined(separator: " "), count: names.count) {
            ColumnNaming.columns(snmp6: names, choice)
        }
    }
}
