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
