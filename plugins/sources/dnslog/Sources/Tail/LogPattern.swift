internal import Glibc

/// A path whose last component has wildcards (fnmatch(3)).
struct LogPattern {
    let directory: LogDirectory
    private let name: String

    init(_ path: String) {
        (directory, name) = LogDirectory.split(path)
    }

    /// Whether the path has wildcards at all.
    static func isPattern(_ path: String) -> Bool {
        path.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
    }

    /// Whether wildcards are in the last component only.
    static func isUsable(_ path: String) -> Bool {
        !isPattern(LogDirectory.split(path).directory.path)
    }

    /// Whether a name in the directory is that of a log, and not of an older part of one in `followed`.
    func matches(_ candidate: String, followed: [String]) -> Bool {
        isLog(candidate) && !bases(followed).contains { RotatedName.isRotation(candidate, of: $0) }
    }

    /// The paths with these keys that files in the directory have, or may have had before they were rotated.
    func formerPaths(_ keys: Set<UInt64>, _ limits: TailLimits) -> [UInt64: String] {
        var found: [UInt64: String] = [:]
        for name in directory.names(limit: limits.directoryEntries, where: { _ in true }) {
            for path in ([name] + RotatedName.bases(of: name)).filter(isLog).map(directory.file) {
                let key = TailCheckpoint.key(of: path)
                if keys.contains(key) { found[key] = path }
            }
        }
        return found
    }

    private func isLog(_ candidate: String) -> Bool {
        !RotatedName.isCompressed(candidate) && fnmatch(name, candidate, FNM_PERIOD) == 0
    }

    private func bases(_ followed: [String]) -> [String] {
        followed.compactMap { path in
            let (other, base) = LogDirectory.split(path)
            return other.path == directory.path ? base : nil
        }
    }

    /// The logs it matches, in the order of their names.
    ///
    /// Compressed files are left out, and what is an older part of another match or of a path in `followed`.
    func paths(_ limits: TailLimits, followed: [String]) -> [String] {
        let bases = bases(followed)
        let sorted = directory.names(limit: limits.directoryEntries, where: isLog).sorted()
        return sorted.filter { candidate in
            !bases.contains { RotatedName.isRotation(candidate, of: $0) }
                && !Self.hasBase(candidate, in: sorted)
        }.map(directory.file)
    }

    /// The name that a rotated file had is a prefix of its new name, so that it sorts before it.
    private static func hasBase(_ name: String, in names: [String]) -> Bool {
        names.contains { $0 != name && RotatedName.isRotation(name, of: $0) }
    }
}
