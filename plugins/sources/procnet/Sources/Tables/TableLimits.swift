/// What is read of one table at most; more is counted and left out.
struct TableLimits {
    /// Bytes of one file.
    var fileSize = 8 << 20
    /// Columns of one protocol table.
    var columns = 4096
    /// Rows of `dev`.
    var interfaces = 4096
}
