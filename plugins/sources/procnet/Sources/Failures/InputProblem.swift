/// Why something in a kernel table was left out.
enum InputProblem: Int, CaseIterable {
    /// A row has another number of values than names, or something that is no number among them.
    case rowMismatch
    /// A line that does not belong to its table.
    case malformedLine
    /// A name that is empty or too long.
    case malformedName
    /// A row or interface that was in the same table before.
    case duplicate
    /// A value that does not fit into 64 bits, or is below zero where the kernel counts up.
    case valueRange
    /// More columns than are kept.
    case columnLimit
    /// More interfaces than are kept.
    case interfaceLimit
    /// The agent's bound on open series is reached.
    case seriesLimit

    /// The word in the attribute `sonde.skip.reason`.
    var word: String {
        switch self {
        case .rowMismatch: "row_mismatch"
        case .malformedLine: "malformed_line"
        case .malformedName: "malformed_name"
        case .duplicate: "duplicate"
        case .valueRange: "value_range"
        case .columnLimit: "column_limit"
        case .interfaceLimit: "interface_limit"
        case .seriesLimit: "series_limit"
        }
    }

    /// What was left out, for the log.
    var explanation: String {
        switch self {
        case .rowMismatch: "a row whose values do not fit its column names"
        case .malformedLine: "a line that is none of this table's"
        case .malformedName: "a name that is empty or longer than \(KernelText.longestName) bytes"
        case .duplicate: "a row that was there before"
        case .valueRange: "a value outside of its range"
        case .columnLimit: "columns beyond the limit"
        case .interfaceLimit: "interfaces beyond the limit"
        case .seriesLimit: "series beyond the agent's bound"
        }
    }
}

/// How often each problem was met.
struct InputProblemCounts {
    private var counts = [UInt64](repeating: 0, count: InputProblem.allCases.count)

    private(set) var total: UInt64 = 0

    subscript(problem: InputProblem) -> UInt64 { counts[problem.rawValue] }

    mutating func count(_ problem: InputProblem, _ times: UInt64 = 1) {
        guard times > 0 else { return }
        counts[problem.rawValue] &+= times
        total &+= times
    }
}
