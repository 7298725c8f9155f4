internal import SondeDomain

extension SourceMark {
    /// By line and column within a file; files by name.
    func isBefore(_ other: SourceMark) -> Bool {
        (file, line, column) < (other.file, other.line, other.column)
    }
}
