internal import Glibc
internal import SondeDomain

/// What was found at a path and opened for reading.
struct OpenedLog {
    enum Kind {
        case file
        case pipe
    }

    let descriptor: Int32
    let kind: Kind
    let status: stat
    /// The path with symbolic links of the last component followed.
    let realPath: String

    /// As many symbolic links as the kernel follows (path_resolution(7)).
    private static let linkBound = 40
    /// O_PATH (fcntl.h shows it for _GNU_SOURCE only).
    private static let pathOnly: Int32 = 0o10_000_000

    /// Opens the file or FIFO at `path`; nil when there is none.
    ///
    /// Never blocks, for any kind of file, and opens no device.
    static func open(_ path: String, _ policy: LinkPolicy) throws(TailRefusal) -> OpenedLog? {
        guard let (realPath, owners) = try resolve(path, policy) else { return nil }
        // A link that took the name since is refused by O_NOFOLLOW.
        let descriptor = Glibc.open(realPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? .link : .system(errno)
        }
        do throws(TailRefusal) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
            let kind = try kind(of: status)
            let trusted = [0, geteuid(), status.st_uid]
            if policy == .sameOwner, !owners.allSatisfy(trusted.contains) { throw .link }
            return OpenedLog(descriptor: descriptor, kind: kind, status: status, realPath: realPath)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func kind(of status: stat) throws(TailRefusal) -> Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFIFO: return .pipe
        case S_IFDIR: throw .directory
        case S_IFSOCK: throw .socket
        case S_IFLNK: throw .link
        default: throw .device
        }
    }

    /// Where the last component leads, and whose links led there; nil when there is none.
    private static func resolve(
        _ path: String,
        _ policy: LinkPolicy
    ) throws(TailRefusal) -> (path: String, owners: [uid_t])? {
        var current = path
        var owners: [uid_t] = []
        for _ in 0..<linkBound {
            var status = stat()
            guard lstat(current, &status) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { return nil }
                throw .system(errno)
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                // Looked at before it is opened, because opening a device may do something.
                _ = try kind(of: status)
                return (current, owners)
            }
            guard policy != .refuse else { throw .link }
            guard let link = readLink(current) else { return nil }
            owners.append(link.owner)
            let isAbsolute = link.target.utf8.first == UInt8(ascii: "/")
            current = isAbsolute ? link.target : LogDirectory.split(current).directory.file(link.target)
        }
        throw .system(ELOOP)
    }

    /// Owner and target of one and the same link, even if links are renamed meanwhile.
    private static func readLink(_ path: String) -> (owner: uid_t, target: String)? {
        let descriptor = Glibc.open(path, pathOnly | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room -> String? in
            guard let start = room.baseAddress else { return nil }
            let count = readlinkat(descriptor, "", start, room.count)
            guard count > 0, count < room.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(room).prefix(count), as: UTF8.self)
        }
        return target.map { (status.st_uid, $0) }
    }
}

extension TailRefusal: Error {}
