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
        var names: [String] = []
        var seen: Set<String> = []
        layout.learn(bytes, into: &numbers, problems: &problems) { line, lesson, problems in
            guard let pair = Self.pair(line, &problems) else { return }
            guard names.count < limits.columns else { return problems.count(.columnLimit) }
            guard seen.insert(pair.name).inserted else { return problems.count(.duplicate) }
            lesson.append(pair.value, at: pair.place)
            names.append(pair.name)
        }
        return names.isEmpty ? [] : [section(names)]
    }

    private static func pair(
        _ line: UnsafeRawBufferPointer,
        _ problems: inout InputProblemCounts
    ) -> (name: String, value: KernelNumber, place: Range<Int>)? {
        var scanner = ByteScanner(line)
        guard let word = scanner.word(), word.count <= KernelText.longestName else {
            problems.count(.malformedName)
            return nil
        }
        scanner.skipBlanks()
        let start = scanner.position
        guard let value = scanner.number() else {
            problems.count(.rowMismatch)
            return nil
        }
        let place = start..<scanner.position
        guard scanner.skipLineEnd(), scanner.isAtEnd else {
            problems.count(.rowMismatch)
            return nil
        }
        return (KernelText.name(word), value, place)
    }

    private func section(_ names: [String]) -> TableSection {
        let choice = choice
        return TableSection(key: names.joined(separator: " "), count: names.count) {
            ColumnNaming.columns(snmp6: names, choice)
        }
    }
}
