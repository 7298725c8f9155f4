internal import Glibc

/// A directory whose entries must survive a power loss.
enum Directory {
    /// Forces names made or changed in the directory to the disk.
    ///
    /// A file system that cannot do it keeps its own promise; there is nothing to report.
    static func sync(containing path: String) {
        let descriptor = open(FilePath.split(path).directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
