internal import Glibc

/// The possible places of the programs that do the work.
///
/// Only places relative to the real path of this program count: the search path of the caller must not choose which
/// program runs with the caller's privileges.
enum DaemonPlaces {
    /// The paths to try, best first; empty when this program's own path cannot be read.
    static func ofThisProcess(_ name: String) -> [String] {
        guard let program = realPath() else { return [] }
        return places(of: name, relativeTo: program)
    }

    /// The folder that this program is installed below, `/usr` for `/usr/bin/sonde`; nil when its path cannot be read.
    static func prefix() -> String? {
        guard let program = realPath(), let slash = program.lastIndex(of: "/") else { return nil }
        let directory = program[..<slash]
        return directory.lastIndex(of: "/").map { String(directory[..<$0]) } ?? ""
    }

    /// Beside the program first, then in `../lib/sonde`.
    static func places(of name: String, relativeTo program: String) -> [String] {
        guard let slash = program.lastIndex(of: "/") else { return [] }
        let directory = program[..<slash]
        let parent = directory.lastIndex(of: "/").map { directory[..<$0] } ?? ""
        return ["\(directory)/\(name)", "\(parent)/lib/sonde/\(name)"]
    }

    private static func realPath() -> String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
