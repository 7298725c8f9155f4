/// The values of the columns that ratios are made of, as one reading found them.
struct WatchedValues {
    private var values: [10 of UInt64?] = .init(repeating: nil)

    init() {}

    /// The value of a column; nil when it was not read.
    subscript(column: WatchedColumn) -> UInt64? {
        get { values[column.index] }
        set { values[column.index] = newValue }
    }
}
