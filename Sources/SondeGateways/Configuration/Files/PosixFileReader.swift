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
        return FileContents(bytes: bytes, permissions: UInt32(status.st_mode) & 0o7777)
    }

    /// The names of the entries of a directory.
    public func names(inDirectory path: String) throws(FileReadFailure) -> [String]? {
        guard let directory = opendir(path) else {
            guard errno != ENOENT && errno != ENOTDIR else { return nil }
            throw Self.failure(errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
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
