internal import Glibc
public import SondeDomain

/// The newest file of the state directory: when an earlier run last recorded something.
public enum NewestFile {
    /// The last modification of what is kept of samples in a state directory; nil: nothing is.
    public static func time(in state: String) -> Timestamp? {
        [state, "\(state)/spool"].flatMap { folder in
            let names = (try? PosixFileSystem().names(inDirectory: folder)) ?? []
            return names.compactMap { modification(of: "\(folder)/\($0)") }
        }.max()
    }

    private static func modification(of path: String) -> Timestamp? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let nanoseconds = Nanoseconds(Int64(status.st_mtim.tv_nsec))
        return Timestamp(seconds: Int64(status.st_mtim.tv_sec)).advanced(by: nanoseconds)
    }
}
