internal import SondeEngine

/// The versions of what the agent keeps in its state directory.
///
/// Each is raised by itself. An agent reads its own and earlier ones; it sets a later one aside and begins anew.
public enum StateFormats {
    /// The spool: segments with the checkpoints of sources, and cursors (docs/spec/spool.md).
    public static let spool = Int(SegmentHeader.version)
    /// The history (docs/spec/history.md).
    public static let history = Int(HistorySchema.current.version)
    /// Dead letters (docs/spec/spool.md).
    public static let deadLetter = DeadLetterHeading.version
}
