internal import Glibc

/// Distinguishes a file from another that has replaced it, and from its own earlier contents.
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
