internal import SondeDomain
internal import SondePluginKit

/// A file with one row per processor, read again and again.
struct ProcessorTable: ~Copyable {
    private var file: ProcFile
    private let buffer = ProcBuffer(capacity: 4_096)
    private let hasNames: Bool
    private(set) var table = HexadecimalTable()
    private(set) var problems = InputProblemCounts()
    private var sums: [ProcessorSum] = []

    init(_ path: String, hasNames: Bool, limit: Int, tape: SourceTape? = nil) {
        file = ProcFile(path: path, limit: limit, tape: tape)
        self.hasNames = hasNames
    }

    /// Reads it; false when there is nothing to report, which is normal where the kernel has no such thing.
    mutating func read() -> Bool {
        guard let count = try? file.read(into: buffer) else { return false }
        table.read(buffer.prefix(count), hasNames: hasNames, &problems)
        return table.rows > 0
    }

    /// The sums over all processors, column by column; `processor` returns whose a row is.
    mutating func takeSums(_ processor: (HexadecimalTable, Int) -> Int) -> [UInt64] {
        while sums.count < table.width { sums.append(ProcessorSum()) }
        for column in 0..<min(table.width, sums.count) {
            sums[column].begin()
            for row in 0..<table.rows {
                guard let number = table.number(row: row, column: column) else { continue }
                sums[column].take(processor(table, row), number)
            }
        }
        return sums.map(\.total)
    }
}
