internal import SondeDomain

/// One way in which the kernel lays out numbers and their names.
///
/// `scan` is the steady path: names are compared byte by byte with those of the last `learn`, and only numbers are
/// parsed. Anything unexpected sends the table through `learn`, which takes it apart.
protocol TableFormat {
    /// Reads every number when the names are the same as last time; false, with `numbers` undefined, when not.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, into numbers: inout [KernelNumber]) -> Bool

    /// Reads names and numbers and keeps the names for `scan`.
    ///
    /// `numbers` has the numbers of all sections one after another; those of a skipped row are absent.
    mutating func learn(
        _ bytes: UnsafeRawBufferPointer,
        limits: TableLimits,
        into numbers: inout [KernelNumber],
        problems: inout InputProblemCounts
    ) -> [TableSection]
}

/// What one number of a table is.
struct TableColumn {
    let metric: MetricDefinition
    let attributes: [Attribute]
    /// How the kernel's number becomes one of the metric's unit; nil: it is one.
    var scale: KernelScale?
    /// Whether the column is known to this version; others follow the naming rule.
    var isKnown = true
    /// Whether the option `counters` asks for it.
    var isWanted = true
}

/// A run of columns that come and go together: a protocol's row, or one interface.
struct TableSection {
    /// Distinguishes the section from every other of its table; another set of columns has another key.
    let key: String
    /// How many numbers the section has.
    let count: Int
    /// The kernel's names and the row's prefix turned into metrics; nil for a column without a usable name.
    ///
    /// Called once per key.
    let columns: () -> [TableColumn?]
}

/// What is read of one table at most; more is counted and left out.
struct TableLimits {
    /// Bytes of one file.
    var fileSize = 8 << 20
    /// Columns of one protocol table.
    var columns = 4096
    /// Rows of `dev`.
    var interfaces = 4096
}
