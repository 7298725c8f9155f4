package import Glibc

/// Which file it is, under any name, as long as it exists.
package struct FileIdentity: Hashable, Sendable {
    /// The number of its file system.
    package let device: UInt64
    /// Its number there.
    package let inode: UInt64

    /// The file of these numbers.
    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// The file that `status` is of.
    package init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// The file at a path, links followed; nil when there is none.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
