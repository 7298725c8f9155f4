internal import Glibc

/// A path whose last component has wildcards (fnmatch(3)).
struct LogPattern {
    private let directory: LogDirectory
    private let name: String

    init(_ path: String) {
        (directory, name) = LogDirectory.split(path)
    }

    /// Whether the path has wildcards at all.
    static func isPattern(_ path: String) -> Bool {
        path.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
    }

    /// Whether wildcards stand in the last component only.
    static func isUsable(_ path: String) -> Bool {
        !isPattern(LogDirectory.split(path).directory.path)
    }

    /// The logs it matches, in the order of their names.
    ///
    /// Compressed files are left out, and what is an older part of another match or of a path in `followed`.
    func paths(_ limits: TailLimits, followed: [String]) -> [String] {
        let names = directory.names(limit: limits.directoryEntries) { candidate in
            !RotatedName.isCompressed(candidate) && fnmatch(name, candidate, FNM_PERIOD) == 0
        }
        let bases = followed.compactMap { path -> String? in
            let (other, base) = LogDirectory.split(path)
            return other.path == directory.path ? base : nil
        }
        let sorted = names.sorted()
        return sorted.filter { candidate in
            !bases.contains { RotatedName.isRotation(candidate, of: $0) }
                && !Self.hasBase(candidate, in: sorted)
        }.map(directory.file)
    }

    /// The name that a rotated file had is a shorter beginning of its own, so that it stands before it in order.
    private static func hasBase(_ name: String, in names: [String]) -> Bool {
        names.contains { $0 != name && RotatedName.isRotation(name, of: $0) }
    }
}
