internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// A file beside a log that may be an older part of it.
struct LogSibling {
    let path: String
    let identity: FileIdentity
    let size: Int64
    let modified: Timestamp
    /// Whether its name has the number or date of a rotation.
    let isRotation: Bool

    /// The uncompressed regular files beside the file at `path` whose names begin with its name, oldest first.
    ///
    /// At most `limits.siblings`, the newest ones.
    static func of(_ path: String, _ limits: TailLimits) -> [LogSibling] {
        let (directory, base) = LogDirectory.split(path)
        let names = directory.names(limit: limits.directoryEntries) { RotatedName.isSibling($0, of: base) }
        let siblings = names.compactMap { LogSibling(directory.file($0), RotatedName.isRotation($0, of: base)) }
        return Array(siblings.sorted { ($0.modified, $1.path) < ($1.modified, $0.path) }.suffix(limits.siblings))
    }

    /// Whether a compressed older part of the log is beside it that was last written to after an instant.
    ///
    /// gzip, xz and zstd give the compressed file the time of what they compress.
    static func hasCompressed(_ path: String, after instant: Timestamp, _ limits: TailLimits) -> Bool {
        let (directory, base) = LogDirectory.split(path)
        let names = directory.names(limit: limits.directoryEntries) { RotatedName.isCompressedRotation($0, of: base) }
        return names.contains { LogSibling(directory.file($0), true).map { $0.modified > instant } ?? false }
    }

    /// Nil for what is no regular file, links included.
    private init?(_ path: String, _ isRotation: Bool) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        self.isRotation = isRotation
        identity = FileIdentity(status)
        size = Int64(status.st_size)
        modified = Timestamp(status.st_mtim)
    }
}

extension Timestamp {
    init(_ time: timespec) {
        self.init(nanoseconds: Timestamp(seconds: Int64(time.tv_sec)).nanoseconds &+ Int64(time.tv_nsec))
    }
}
