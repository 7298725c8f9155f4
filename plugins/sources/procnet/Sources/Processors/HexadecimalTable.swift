/// Rows of hexadecimal numbers, one per processor: `softnet_stat` and the files below `/proc/net/stat`.
///
///     entries  clashres found new
///     00000005  00000000 00000000 00000000
struct HexadecimalTable {
    /// Processors, and columns, that are read; Linux has at most 8,192 processors.
    private static let rowLimit = 8_192
    private static let columnLimit = 64

    /// The names of the columns; empty for a file without.
    private(set) var names: [String] = []
    /// The rows one after another.
    private(set) var numbers: [UInt64] = []
    /// How many numbers a row has.
    private(set) var width = 0
    /// Whether no row was left out: a sum over rows that lack one is not the sum over all processors.
    private(set) var isWhole = true

    init() {}

    /// Reads a file; what is no row of its table is counted and left out.
    mutating func read(_ bytes: UnsafeRawBufferPointer, hasNames: Bool, _ problems: inout InputProblemCounts) {
        numbers.removeAll(keepingCapacity: true)
        width = 0
        isWhole = true
        var scanner = ByteScanner(bytes)
        if hasNames {
            guard let line = scanner.line(), let words = KernelText.words(line, limit: Self.columnLimit) else {
                names = []
                problems.count(.malformedLine)
                return
            }
            if words != names { names = words }
            width = words.count
        }
        while !scanner.isAtEnd, rows < Self.rowLimit {
            let hasEnd = bytes.last == ByteScanner.newline
            guard let line = scanner.line(), hasEnd || !scanner.isAtEnd else {
                // A line without an end was cut: its last number may be another one.
                problems.count(.malformedLine)
                isWhole = false
                return
            }
            guard !take(line) else { continue }
            problems.count(.rowMismatch)
            isWhole = false
        }
        if !scanner.isAtEnd { isWhole = false }
    }

    /// How many rows there are.
    var rows: Int { width > 0 ? numbers.count / width : 0 }

    /// A number, or nil where there is none.
    func number(row: Int, column: Int) -> UInt64? {
        guard column >= 0, column < width, row >= 0, row < rows else { return nil }
        return numbers[row &* width &+ column]
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        let before = numbers.count
        var words = ByteScanner(line)
        while let word = words.word() {
            guard numbers.count &- before < Self.columnLimit, let number = UInt64(hexadecimal: word) else {
                numbers.removeSubrange(before...)
                return false
            }
            numbers.append(number)
        }
        let count = numbers.count &- before
        if width == 0 { width = count }
        guard count == width, count > 0 else {
            numbers.removeSubrange(before...)
            return false
        }
        return true
    }
}
