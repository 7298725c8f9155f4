/// What a tail has read since it was made.
///
/// Every number only grows.
struct TailCounts: Hashable, Sendable {
    /// Lines handed on.
    var lines: UInt64 = 0
    /// Bytes read, line ends and skipped lines included.
    var bytes: UInt64 = 0
    /// Lines longer than the limit, which were skipped.
    var tooLong: UInt64 = 0
    /// Lines handed on without a line end, because their file or pipe had ended permanently.
    var unterminated: UInt64 = 0
    /// Files that came after the first under a followed name, also those that had it between two looks.
    var rotations: UInt64 = 0
    /// Files that were truncated or rewritten while being read (copytruncate).
    var truncations: UInt64 = 0
}
