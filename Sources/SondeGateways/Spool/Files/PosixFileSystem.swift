internal import Glibc
public import SondeEngine

/// The file system of the operating system.
public struct PosixFileSystem: FileSystem {
    /// The file system.
    public init() {}

    /// Makes one directory, mode 0700.
    public func makeDirectory(_ path: String) throws(FileSystemError) {
        guard mkdir(path, 0o700) == 0 else { throw FileSystemError(errno, "mkdir") }
    }

    /// Opens a regular file; made files get mode 0600.
    public func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> any OpenFile {
        // A link planted in the directory must not redirect the agent's writes, nor a pipe block it.
        let flags = Self.flags(of: opening) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw FileSystemError(errno, "open") }
        let file = PosixFile(descriptor)
        guard try file.isRegular() else { throw FileSystemError(FileSystemError.notSupported, "open") }
        return file
    }

    /// Renames a file.
    public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        guard Glibc.rename(path, newPath) == 0 else { throw FileSystemError(errno, "rename") }
    }

    /// Removes a name.
    public func unlink(_ path: String) throws(FileSystemError) {
        guard Glibc.unlink(path) == 0 else { throw FileSystemError(errno, "unlink") }
    }

    /// The names in a directory.
    public func names(inDirectory path: String) throws(FileSystemError) -> [String] {
        guard let directory = opendir(path) else { throw FileSystemError(errno, "opendir") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Calls fsync on a directory.
    public func syncDirectory(_ path: String) throws(FileSystemError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystemError(errno, "open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileSystemError(errno, "fsync") }
    }

    /// The result of statvfs.
    public func space(at path: String) throws(FileSystemError) -> FileSystemSpace {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw FileSystemError(errno, "statvfs") }
        let unit = Int64(clamping: status.f_frsize)
        return FileSystemSpace(
            available: Self.bytes(Int64(clamping: status.f_bavail), unit),
            total: Self.bytes(Int64(clamping: status.f_blocks), unit)
        )
    }

    private static func bytes(_ blocks: Int64, _ unit: Int64) -> Int64 {
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: unit)
        return overflow ? .max : bytes
    }

    private static func flags(of opening: FileOpening) -> Int32 {
        switch opening {
        case .read: O_RDONLY
        case .update: O_RDWR
        case .create: O_RDWR | O_CREAT | O_EXCL
        case .openOrCreate: O_RDWR | O_CREAT
        }
    }
}
