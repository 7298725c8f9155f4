/// `/proc/net/dev`: two header lines, then one line per interface (`dev_seq_show`, net/core/net-procfs.c).
///
///     Inter-|   Receive                        |  Transmit
///      face |bytes    packets errs drop …      |bytes    packets errs drop …
///        lo:    3193      29    0    0 …           3193      29    0    0 …
struct DeviceTable: TableFormat {
    /// More columns than any kernel has had (16).
    private static let columnLimit = 64

    /// The header lines of the last `learn`.
    private var header: [UInt8] = []
    private var columns: [DeviceColumn] = []
    /// `name:` of every interface, in the order of the file.
    private var names: [UInt8] = []
    private var nameEnds: [Int] = []

    init() {}

    mutating func scan(_ bytes: UnsafeRawBufferPointer, into numbers: inout [KernelNumber]) -> Bool {
        guard !header.isEmpty else { return false }
        numbers.removeAll(keepingCapacity: true)
        var scanner = ByteScanner(bytes)
        guard header.withUnsafeBytes({ scanner.skip($0) }) else { return false }
        return names.withUnsafeBytes { names in
            var first = 0
            for end in nameEnds {
                scanner.skipBlanks()
                guard scanner.skip(UnsafeRawBufferPointer(rebasing: names[first..<end])) else { return false }
                first = end
                guard scanner.row(of: columns.count, into: &numbers) else { return false }
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
        self = DeviceTable()
        numbers.removeAll(keepingCapacity: true)
        var scanner = ByteScanner(bytes)
        learnHeader(&scanner, &problems)
        var seen: Set<String> = []
        var sections: [TableSection] = []
        while let line = scanner.line() {
            guard let name = interfaceName(line, &problems) else { continue }
            guard sections.count < limits.interfaces else {
                problems.count(.interfaceLimit)
                continue
            }
            guard seen.insert(name.text).inserted else {
                problems.count(.duplicate)
                continue
            }
            names.append(contentsOf: name.withColon)
            nameEnds.append(names.count)
            appendNumbers(of: name.values, to: &numbers, &problems)
            sections.append(section(name.text))
        }
        return sections
    }

    private func section(_ name: String) -> TableSection {
        let columns = columns
        return TableSection(key: name, count: columns.count) { columns.map { $0.column(interface: name) } }
    }

    /// Keeps the lines up to the one that names the columns; without it the table cannot be read.
    private mutating func learnHeader(_ scanner: inout ByteScanner, _ problems: inout InputProblemCounts) {
        while let line = scanner.line() {
            guard let columns = DeviceColumn.columns(ofHeader: line, limit: Self.columnLimit) else { continue }
            self.columns = columns
            header = [UInt8](scanner.bytes[..<scanner.position])
            return
        }
        problems.count(.malformedLine)
    }

    /// A name may hold colons (`eth0:1`), a value never does: the last one ends the name.
    private func interfaceName(
        _ line: UnsafeRawBufferPointer,
        _ problems: inout InputProblemCounts
    ) -> (text: String, withColon: Slice<UnsafeRawBufferPointer>, values: Slice<UnsafeRawBufferPointer>)? {
        guard line.contains(where: { !ByteScanner.isBlank($0) }) else { return nil }
        guard let colon = line.lastIndex(of: UInt8(ascii: ":")) else {
            problems.count(.malformedLine)
            return nil
        }
        let first = line.firstIndex { !ByteScanner.isBlank($0) } ?? colon
        guard first < colon, colon - first <= KernelText.longestName else {
            problems.count(.malformedName)
            return nil
        }
        let text = KernelText.name(UnsafeRawBufferPointer(rebasing: line[first..<colon]))
        return (text, line[first...colon], line[(colon + 1)...])
    }

    private func appendNumbers(
        of values: Slice<UnsafeRawBufferPointer>,
        to numbers: inout [KernelNumber],
        _ problems: inout InputProblemCounts
    ) {
        let before = numbers.count
        var scanner = ByteScanner(UnsafeRawBufferPointer(rebasing: values))
        guard scanner.row(of: columns.count, into: &numbers) else {
            numbers.removeSubrange(before...)
            numbers.append(contentsOf: repeatElement(.absent, count: columns.count))
            problems.count(.rowMismatch)
            return
        }
    }
}
