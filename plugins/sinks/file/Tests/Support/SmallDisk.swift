import Foundation
import Glibc

/// A separate file system with little space; needs root.
final class SmallDisk {
    /// Whether this process may mount one: tried once.
    static let isAvailable: Bool = (try? SmallDisk()) != nil

    let mountPoint: TemporaryDirectory

    init(size: String = "64k") throws {
        mountPoint = try TemporaryDirectory()
        guard mount("sonde-test", mountPoint.path, "tmpfs", 0, "size=\(size)") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
    }

    deinit {
        umount2(mountPoint.path, Int32(MNT_DETACH))
    }

    func remountReadOnly() -> Bool {
        mount("sonde-test", mountPoint.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    /// Leaves room for `pages` pages of 4 KiB.
    func fill(leaving pages: Int) throws {
        let free = (try FileManager.default.attributesOfFileSystem(forPath: mountPoint.path)[.systemFreeSize] as? Int)
        let bytes = max(0, (free ?? 0) - pages * 4_096)
        try Data(count: bytes).write(to: URL(fileURLWithPath: mountPoint.file("ballast")))
    }

    func free() throws {
        try mountPoint.remove("ballast")
    }

    /// Lets the file be appended to only, or changed again: a way to make ftruncate fail.
    func setAppendOnly(_ name: String, _ flag: AppendOnly) -> Bool {
        let descriptor = open(mountPoint.file(name), O_RDONLY)
        defer { close(descriptor) }
        var flags = flag.rawValue
        // FS_IOC_SETFLAGS (linux/fs.h)
        return ioctl(descriptor, 0x4008_6602, &flags) == 0
    }

    /// FS_APPEND_FL on or off (linux/fs.h).
    enum AppendOnly: Int {
        case on = 0x20
        case off = 0
    }
}
