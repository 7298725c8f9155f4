internal import SondeDomain

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
