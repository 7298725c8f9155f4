internal import SondeDomain

/// Which logs are followed, and from where on.
struct TailSettings: Sendable {
    /// Where to begin in a file without a checkpoint.
    enum Start: Sendable {
        /// Behind what it holds when the tail starts.
        case end
        /// At its first byte.
        case beginning
    }

    /// Means standard input in ``paths``.
    static let standardInput = "-"

    /// Absolute paths of files or FIFOs, with the wildcards of fnmatch(3) in the last component, or `-`.
    var paths: [String]
    var start = Start.end
    var links = LinkPolicy.sameOwner
    var limits = TailLimits()
}

/// Which symbolic links are followed to a log.
///
/// Only the last component of a path is looked at: who may change the directories above it can do anything anyway.
enum LinkPolicy: Sendable {
    /// Links of root, of the agent's user, and of the owner of the file that they lead to.
    ///
    /// A user who can write to the folder of logs then cannot make the agent read what that user cannot read.
    case sameOwner
    /// All.
    case follow
    /// None.
    case refuse
}

/// The bounds of a tail.
struct TailLimits: Sendable {
    /// The longest line that is handed on, in bytes without its end; longer ones are skipped and counted.
    var lineLength = 64 << 10
    /// How many paths are followed at once; what matches beyond is named in an event.
    var paths = 64
    /// How many files are kept open that have lost their name; the oldest is closed for a newer one.
    var heldFiles = 32
    /// How many rotated files of one path are looked at.
    var siblings = 64
    /// How many unread rotated files are read after one another.
    var unseenFiles = 16
    /// How many entries of one directory are looked at.
    var directoryEntries = 65_536
    /// How long a file that has lost its name must have been quiet before it is closed.
    var rotateGrace = Nanoseconds.seconds(5)
    /// How long a deleted file is kept open at most.
    var deletedHold = Nanoseconds.seconds(60)
    /// The least time between two looks at the files, so that a busy log does not wake the agent at every line.
    var pause = Nanoseconds.milliseconds(200)
    /// How often to look where the kernel does not report changes.
    var pollPeriod = Nanoseconds.seconds(1)
    /// How often to look where it does, for file systems that others change: network ones, for instance.
    var rescanPeriod = Nanoseconds.seconds(10)
    /// How many bytes one call reads before it returns to the caller.
    var bytesPerTurn = 8 << 20
    /// And where it keeps a pace: a turn is what it works for at once.
    static let pacedTurn = 512 << 10
}
