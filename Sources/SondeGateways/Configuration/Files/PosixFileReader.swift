import Glibc
public import SondeEngine

/// Reads files through the system calls.
public struct PosixFileReader: FileReader {
    /// A reader.
    public init() {}

    /// Reads a regular file of at most `limit` bytes.
    public func read(_ path: String, limit: Int) throws(FileReadFailure) -> FileContents {
        // O_NONBLOCK: a pipe in place of the file must not block the agent.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
        let bytes = try Self.bytes(of: descriptor, limit: limit)
        return FileContents(
            bytes: bytes, permissions: UInt32(status.st_mode) & 0o7777, owner: status.st_uid,
            isWritableByAnyone: Self.isWritableByAnyone(descriptor, status))
    }

    /// The entries of a directory.
    public func directory(_ path: String, limit: Int) throws(FileReadFailure) -> DirectoryContents? {
        // O_DIRECTORY: a pipe in place of the directory must not block the agent.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else {
            guard errno != ENOENT else { return nil }
            guard errno != ENOTDIR else { throw .notDirectory }
            throw Self.failure(errno)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, let directory = fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw Self.failure(code)
        }
        defer { closedir(directory) }
        var contents = DirectoryContents(
            names: [], owner: status.st_uid, isWritableByAnyone: Self.isWritableByAnyone(descriptor, status))
        var count = 0
        while let entry = readdir(directory) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if bytes == [UInt8(ascii: ".")] || bytes == Array("..".utf8) { continue }
            count += 1
            guard count <= limit else { throw .tooManyEntries(limit: limit) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                contents.malformedNames.append(String(decoding: bytes, as: UTF8.self))
                continue
            }
            contents.names.append(name)
        }
        return contents
    }

    /// The names of the entries of a directory, as far as they are text; nil when there is no such directory.
    func names(inDirectory path: String) throws(FileReadFailure) -> [String]? {
        try directory(path, limit: .max)?.names
    }

    private static func isWritableByAnyone(_ descriptor: Int32, _ status: stat) -> Bool {
        guard status.st_mode & S_IWOTH != 0 else { return false }
        var mount = statvfs()
        return fstatvfs(descriptor, &mount) != 0 || mount.f_flag & UInt(ST_RDONLY) == 0
    }

    // For files in /proc and files that grow fstat's size is not the real one: the limit is enforced here.
    private static func bytes(of descriptor: Int32, limit: Int) throws(FileReadFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
            bytes += chunk[..<count]
        }
    }

    private static func failure(_ code: Int32) -> FileReadFailure {
        switch code {
        case ENOENT, ENOTDIR: .notFound
        case EACCES, EPERM: .permissionDenied
        case ENXIO: .notRegular
        default: .failed(strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
    }
}
