internal import Glibc

/// Tells a file from another one that has taken its name, and from itself before it was written to.
struct ObjectIdentity: Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let bytes: Int64
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    /// The identity of the file that `status` is of.
    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        changedSeconds = status.st_mtim.tv_sec
        changedNanoseconds = status.st_mtim.tv_nsec
    }
}
