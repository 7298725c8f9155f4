internal import SondeDomain

/// An event of the files for a person or the ledger.
enum TailEvent: Hashable, Sendable {
    /// A file is read from `offset` on.
    case opened(path: String, offset: Int64)
    /// No file is at the path yet, or no longer; it is looked for.
    case missing(path: String)
    /// The file at the path is not read, and is looked at again.
    case refused(path: String, TailRefusal)
    /// The file was truncated or rewritten (copytruncate).
    case truncated(path: String)
    /// A file cannot be read at the moment; errno has the reason.
    case unreadable(path: String, errno: Int32)
    /// Lines are gone, or may be.
    case lost(path: String, TailLoss)
    /// The kernel does not report changes (errno has the reason), so that the files are polled.
    case polling(errno: Int32)
    /// More paths match than are followed at once.
    case tooManyPaths(limit: Int)
    /// The checkpoint is damaged or of another version, and was not used.
    case checkpointUnreadable
    /// A pipe has ended, and nothing more can come.
    case ended(path: String)
    /// A path that a wildcard matched is no longer followed: its file is gone.
    case forgotten(FileID)
}

/// Why the file at a path is not read.
enum TailRefusal: Hashable, Sendable {
    case directory
    case device
    case socket
    /// A pipe where only files are read: a wildcard matched it.
    case pipe
    /// The policy does not let this symbolic link be followed.
    case link
    /// The same file is followed under another name already.
    case duplicate
    /// The system refused, with this errno.
    case system(Int32)
}

/// Lines that will never be read.
struct TailLoss: Hashable, Sendable {
    enum Reason: String, Sendable {
        /// Rotated between two looks, and compressed, removed or indistinguishable from others since.
        case rotatedAway = "log_rotated_away"
        /// Cut away before it was read (copytruncate).
        case truncated = "log_truncated"
        /// The file was deleted and still written to when it was given up.
        case deleted = "log_deleted"
        /// The checkpoint could not be read, so that it is unknown where reading had stopped.
        case checkpoint = "log_checkpoint"
    }

    var reason: Reason
    /// When the last line before the loss was read; nil when not known.
    var from: Timestamp?
    var to: Timestamp?
    /// How many bytes; nil when not known, and how many lines never is.
    var bytes: UInt64?
}
