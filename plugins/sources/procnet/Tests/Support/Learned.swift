import SondeDomain

@testable import ProcNetPlugin

/// What a table format makes of some bytes at the first reading.
struct Learned {
    var format: any TableFormat
    let sections: [TableSection]
    let numbers: [KernelNumber]
    let problems: InputProblemCounts

    init(_ table: ProcTable, _ bytes: [UInt8], limits: TableLimits = TableLimits()) {
        var format = table.makeFormat()
        var numbers: [KernelNumber] = []
        var problems = InputProblemCounts()
        sections = bytes.withUnsafeBytes {
            format.learn($0, limits: limits, into: &numbers, problems: &problems)
        }
        self.format = format
        self.numbers = numbers
        self.problems = problems
    }

    init(_ table: ProcTable, _ text: String, limits: TableLimits = TableLimits()) {
        self.init(table, Array(text.utf8), limits: limits)
    }

    /// The numbers of a second reading, or nil when the names are not those of the first.
    mutating func scan(_ bytes: [UInt8]) -> [KernelNumber]? {
        var numbers: [KernelNumber] = []
        return bytes.withUnsafeBytes { format.scan($0, into: &numbers) } ? numbers : nil
    }

    mutating func scan(_ text: String) -> [KernelNumber]? { scan(Array(text.utf8)) }

    /// `name{attributes}` of every number, with its value; left-out columns are nil.
    var readings: [String?: KernelNumber] {
        let names = sections.flatMap { $0.columns() }.map { $0.map(spelled) }
        return Dictionary(zip(names, numbers), uniquingKeysWith: { first, _ in first })
    }

    private func spelled(_ column: TableColumn) -> String {
        let attributes = column.attributes.sorted().map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        return attributes.isEmpty ? column.metric.name : "\(column.metric.name){\(attributes)}"
    }
}

extension KernelNumber {
    static func unsigned(_ value: UInt64) -> KernelNumber { KernelNumber(magnitude: value, form: .unsigned) }
    static func negative(_ value: UInt64) -> KernelNumber { KernelNumber(magnitude: value, form: .negative) }
}
