internal import Glibc

/// Which file has a name.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// The file of that name; nil: it does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
