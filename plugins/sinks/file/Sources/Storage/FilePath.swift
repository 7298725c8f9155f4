internal import Glibc
internal import SondePluginKit

/// Where a configured path leads.
enum FilePath {
    /// As many symbolic links as the kernel follows (path_resolution(7)).
    private static let linkBound = 40

    /// The file itself, all symbolic links followed; the file need not exist, its directory must.
    ///
    /// Rotated files are then beside the file and not beside a link to it.
    static func resolved(_ path: String) throws(PluginError) -> String {
        var current = path
        for _ in 0..<linkBound {
            let (directory, name) = split(current)
            let real = try realDirectory(directory)
            let file = real == "/" ? "/\(name)" : "\(real)/\(name)"
            guard let target = link(file) else { return file }
            current = target.utf8.first == UInt8(ascii: "/") ? target : "\(real)/\(target)"
        }
        throw .system("open", path, ELOOP)
    }

    /// The directory and the last component of an absolute path.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return slash == path.startIndex ? ("/", name) : (String(path[..<slash]), name)
    }

    private static func realDirectory(_ path: String) throws(PluginError) -> String {
        guard let real = realpath(path, nil) else { throw .system("find the directory", path, errno) }
        defer { free(real) }
        return String(cString: real)
    }

    private static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { target -> String? in
            guard let start = target.baseAddress else { return nil }
            let count = readlink(path, start, Int(PATH_MAX))
            guard count > 0, count < Int(PATH_MAX) else { return nil }
            start[count] = 0
            return String(cString: start)
        }
    }
}

/// A directory whose entries must survive a power loss.
enum Directory {
    /// Forces names made or changed in the directory to the disk.
    ///
    /// Not every file system can do it; that is not reported.
    static func sync(containing path: String) {
        let descriptor = open(FilePath.split(path).directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
