internal import Glibc

/// One directory of logs.
struct LogDirectory {
    let path: String

    /// The directory and the last component of a path.
    static func split(_ path: String) -> (directory: LogDirectory, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (LogDirectory(path: "."), path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (LogDirectory(path: slash == path.utf8.startIndex ? "/" : String(path[..<slash])), name)
    }

    func file(_ name: String) -> String {
        path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    /// The names that `isWanted`, of the first `limit` entries; none when the directory cannot be read.
    func names(limit: Int, where isWanted: (String) -> Bool) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        var seen = 0
        while seen < limit, let entry = readdir(stream) {
            seen += 1
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != "..", isWanted(name) { names.append(name) }
        }
        return names
    }
}
