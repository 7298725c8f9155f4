internal import SondeDomain
internal import SondePluginKit

/// A file and how far it was read: enough to find it again after it was renamed, and to notice when it is another one.
struct FileRecord: Hashable, Sendable {
    var identity: FileIdentity
    /// What it begins with.
    var head: Fingerprint
    /// The bytes right before ``offset``.
    var seam: Fingerprint
    /// Where the first line begins that was not handed on.
    var offset: Int64
    /// When it was last written to, as far as known.
    var modified: Timestamp
    /// Whether the line at ``offset`` is the rest of one that is skipped.
    var isSkipping: Bool
    /// Whether everything in it had been read.
    var isAtEnd: Bool

    /// Whether there are bytes to identify the file: an empty one has none.
    var hasBytes: Bool { head.length > 0 || seam.length > 0 }

    /// Whether an open file still begins as this one did and holds the same bytes in front of the position.
    func matches(_ descriptor: Int32) -> Bool {
        head.matches(descriptor, at: 0) && seam.matches(descriptor, at: offset &- Int64(seam.length))
    }
}
