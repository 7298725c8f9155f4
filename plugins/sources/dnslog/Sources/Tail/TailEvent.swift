internal import SondeDomain

/// Something about the files that a person or the ledger should hear of.
enum TailEvent: Hashable, Sendable {
    /// A file is read from `offset` on.
    case opened(path: String, offset: Int64)
    /// Nothing lies at the path yet, or no longer; it is looked for.
    case missing(path: String)
    /// What lies at the path is not read, and is looked at again.
    case refused(path: String, TailRefusal)
    /// The file was cut short or written anew (copytruncate).
    case truncated(path: String)
    /// A file cannot be read at the moment; errno says why.
    case unreadable(path: String, errno: Int32)
    /// Lines are gone, or may be.
    case lost(path: String, TailLoss)
    /// The kernel does not tell of changes (errno says why), so that the files are looked at again and again.
    case polling(errno: Int32)
    /// More paths match than are followed at once.
    case tooManyPaths(limit: Int)
    /// The checkpoint is damaged or of another version, and was not used.
    case checkpointUnreadable
    /// A pipe has come to its end, and nothing more can come.
    case ended(path: String)
    /// A path that a wildcard matched is no longer followed: its file is gone.
    case forgotten(FileID)
}

/// Why what lies at a path is not read.
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

/// Lines that nobody will read any more.
struct TailLoss: Hashable, Sendable {
    enum Reason: String, Sendable {
        /// Rotated while nobody looked, and compressed, removed or not to be told from others since.
        case rotatedAway = "rotated_away"
        /// Cut away before it was read (copytruncate).
        case truncated = "truncated"
        /// The file was deleted and still written to when it was given up.
        case deleted = "deleted"
        /// The checkpoint could not be read, so that nobody knows where reading had stopped.
        case checkpoint = "checkpoint"
    }

    var reason: Reason
    /// When the last line before the loss was read; nil when not known.
    var from: Timestamp?
    var to: Timestamp?
    /// How many bytes; nil when not known, and how many lines never is.
    var bytes: UInt64?
}
