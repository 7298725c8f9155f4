internal import Glibc
public import SondeDomain

/// The agent's own files in a state directory, whose times say when an earlier run last recorded something.
///
/// Files that others have put there say nothing.
public struct StateFiles: Sendable {
    private static let history = "history.db"
    private let directory: String

    /// Those of a state directory, which need not be there.
    public init(in directory: String) {
        self.directory = directory
    }

    /// The last modification of any of them; nil: there is none.
    public var newestTime: Timestamp? { paths.compactMap(Self.modification).max() }

    /// Gives those that were modified later than `now`, which is after 1970, that time.
    ///
    /// The clock was ahead then: otherwise each start would take it for one that is behind.
    public func touch(laterThan now: Timestamp) {
        for path in paths {
            guard let time = Self.modification(of: path), time > now else { continue }
            // Where it may not be done, the next start waits for the clock once more.
            _ = utimensat(AT_FDCWD, path, [timespec(now), timespec(now)], AT_SYMLINK_NOFOLLOW)
        }
    }

    private var paths: [String] {
        let own = [AgentIdentityStore.fileName, Self.history, "\(Self.history)-wal", "\(Self.history)-shm"]
        let spool = "\(directory)/spool"
        let names = (try? PosixFileSystem().names(inDirectory: spool)) ?? []
        return own.map { "\(directory)/\($0)" } + names.filter(SpoolFolder.isOwn).map { "\(spool)/\($0)" }
    }

    private static func modification(of path: String) -> Timestamp? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let nanoseconds = Nanoseconds(Int64(status.st_mtim.tv_nsec))
        return Timestamp(seconds: Int64(status.st_mtim.tv_sec)).advanced(by: nanoseconds)
    }
}

extension timespec {
    fileprivate init(_ time: Timestamp) {
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(tv_sec: Int(seconds), tv_nsec: Int(rest))
    }
}
