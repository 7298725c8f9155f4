/// `/proc/net/sockstat` and `/proc/net/sockstat6`: a protocol per line, names and values in turn (`sockstat_seq_show`,
/// net/ipv4/proc.c; `sockstat6_seq_show`, net/ipv6/proc.c).
///
///     TCP: inuse 1 orphan 0 tw 0 alloc 1 mem 222
struct SocketTable: TableFormat {
    private struct Pair {
        var name: String
        var value: KernelNumber
        var place: Range<Int>
    }

    private let table: ProcTable
    private var layout = InterleavedText()

    init(_ table: ProcTable) {
        self.table = table
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
        var sections: [TableSection] = []
        var seen: Set<String> = []
        let table = table
        layout.learn(bytes, into: &numbers, problems: &problems) { line, lesson, problems in
            let limit = limits.columns - lesson.numbers.count
            guard let (row, pairs) = Self.row(line, limit: limit, &problems) else { return }
            guard seen.insert(row).inserted else { return problems.count(.duplicate) }
            for pair in pairs { lesson.append(pair.value, at: pair.place) }
            sections.append(Self.section(row, pairs.map(\.name), of: table))
        }
        return sections
    }

    private static func row(
        _ line: UnsafeRawBufferPointer,
        limit: Int,
        _ problems: inout InputProblemCounts
    ) -> (String, [Pair])? {
        var scanner = ByteScanner(line)
        guard let prefix = scanner.word(), prefix.last == UInt8(ascii: ":") else {
            problems.count(.malformedLine)
            return nil
        }
        guard prefix.count > 1, prefix.count <= KernelText.longestName else {
            problems.count(.malformedName)
            return nil
        }
        guard let pairs = pairs(&scanner, limit: limit), !pairs.isEmpty else {
            problems.count(.rowMismatch)
            return nil
        }
        guard pairs.count <= limit else {
            problems.count(.columnLimit)
            return nil
        }
        return (KernelText.name(UnsafeRawBufferPointer(rebasing: prefix.dropLast())), pairs)
    }

    /// At most one more than `limit`.
    private static func pairs(_ scanner: inout ByteScanner, limit: Int) -> [Pair]? {
        var pairs: [Pair] = []
        while pairs.count <= limit, let word = scanner.word() {
            scanner.skipBlanks()
            let start = scanner.position
            guard word.count <= KernelText.longestName, let value = scanner.number() else { return nil }
            let place = start..<scanner.position
            guard scanner.isAtEnd || ByteScanner.isBlank(scanner.bytes[scanner.position]) else { return nil }
            pairs.append(Pair(name: KernelText.name(word), value: value, place: place))
        }
        return pairs
    }

    private static func section(_ row: String, _ names: [String], of table: ProcTable) -> TableSection {
        TableSection(key: ([row] + names).joined(separator: " "), count: names.count) {
            ColumnNaming.columns(names, row: row, table: table)
        }
    }
}
