/// `/proc/net/snmp` and `/proc/net/netstat`: pairs of lines, names and then values, that begin with the same prefix
/// (`snmp_seq_show` and `netstat_seq_show`, net/ipv4/proc.c).
///
///     Tcp: RtoAlgorithm RtoMin RtoMax MaxConn …
///     Tcp: 1 200 120000 -1 …
struct ProtocolTable: TableFormat {
    private struct Row {
        /// Where the row's text ends in `text`: the line of names and the prefix of the line of values.
        var textEnd: Int
        var count: Int
    }

    private let table: ProcTable
    private let choice: CounterChoice
    private var text: [UInt8] = []
    private var rows: [Row] = []

    init(_ table: ProcTable, _ choice: CounterChoice = CounterChoice([CounterChoice.allWord])) {
        self.table = table
        self.choice = choice
    }

    mutating func scan(_ bytes: UnsafeRawBufferPointer, into numbers: inout [KernelNumber]) -> Bool {
        guard !rows.isEmpty else { return false }
        numbers.removeAll(keepingCapacity: true)
        var scanner = ByteScanner(bytes)
        return text.withUnsafeBytes { text in
            var first = 0
            for row in rows {
                guard scanner.skip(UnsafeRawBufferPointer(rebasing: text[first..<row.textEnd])) else { return false }
                first = row.textEnd
                guard scanner.row(of: row.count, into: &numbers) else { return false }
            }
            return scanner.isAtEnd
        }
    }

    mutating func learn(
        _ bytes: UnsafeRawBufferPointer,
        limits: TableLimits,
        into numbers: inout [KernelNumber],
        problems: inout InputProblemCounts
    ) -> [TableSection] {
        self = ProtocolTable(table, choice)
        numbers.removeAll(keepingCapacity: true)
        var scanner = ByteScanner(bytes)
        var sections: [TableSection] = []
        var prefixes: Set<String> = []
        var names = scanner.line()
        while let header = names {
            let values = scanner.line()
            guard let prefix = Self.prefix(of: header), let values, Self.begins(values, with: prefix) else {
                // Perhaps the line of values is missing: the next line may be the names of another row.
                if header.contains(where: { !ByteScanner.isBlank($0) }) { problems.count(.malformedLine) }
                names = values
                continue
            }
            names = scanner.line()
            let room = limits.columns - numbers.count
            guard let section = section(header, prefix, room: room, &problems) else { continue }
            guard prefixes.insert(section.prefix).inserted else {
                problems.count(.duplicate)
                continue
            }
            append(values.dropFirst(prefix.count), of: section.section.count, to: &numbers, &problems)
            keep(header, prefix, count: section.section.count)
            sections.append(section.section)
        }
        return sections
    }

    /// `Tcp:`, or nil when the line has no usable prefix.
    private static func prefix(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard
            let colon = line.prefix(KernelText.longestName).firstIndex(of: UInt8(ascii: ":")),
            colon > 0,
            !line[..<colon].contains(where: ByteScanner.isBlank)
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: line[...colon])
    }

    private static func begins(_ line: UnsafeRawBufferPointer, with prefix: UnsafeRawBufferPointer) -> Bool {
        var scanner = ByteScanner(line)
        return scanner.skip(prefix)
    }

    private func section(
        _ header: UnsafeRawBufferPointer,
        _ prefix: UnsafeRawBufferPointer,
        room: Int,
        _ problems: inout InputProblemCounts
    ) -> (prefix: String, section: TableSection)? {
        let text = UnsafeRawBufferPointer(rebasing: header[prefix.count...])
        guard let names = KernelText.words(text, limit: max(0, room)) else {
            problems.count(.columnLimit)
            return nil
        }
        guard !names.isEmpty else {
            problems.count(.malformedLine)
            return nil
        }
        let table = table
        let choice = choice
        let prefix = KernelText.name(UnsafeRawBufferPointer(rebasing: prefix.dropLast()))
        let key = ([prefix] + names).joined(separator: " ")
        let section = TableSection(key: key, count: names.count) {
            ColumnNaming.columns(names, row: prefix, table: table, choice)
        }
        return (prefix, section)
    }

    private func append(
        _ values: Slice<UnsafeRawBufferPointer>,
        of count: Int,
        to numbers: inout [KernelNumber],
        _ problems: inout InputProblemCounts
    ) {
        let before = numbers.count
        var scanner = ByteScanner(UnsafeRawBufferPointer(rebasing: values))
        guard scanner.row(of: count, into: &numbers) else {
            numbers.removeSubrange(before...)
            numbers.append(contentsOf: repeatElement(.absent, count: count))
            problems.count(.rowMismatch)
            return
        }
    }

    private mutating func keep(_ header: UnsafeRawBufferPointer, _ prefix: UnsafeRawBufferPointer, count: Int) {
        text.append(contentsOf: header)
        text.append(ByteScanner.newline)
        text.append(contentsOf: prefix)
        rows.append(Row(textEnd: text.count, count: count))
    }
}
