internal import Glibc

/// Where plugins are searched, in order; the first hit is used.
public struct PluginSearchPath: Hashable, Sendable {
    /// The directories in order, none twice.
    public let directories: [String]

    private let given: [String]
    private let standard: [String]
    /// Real paths of the agent's own directories; nil: all are.
    private let own: Set<String>?

    /// A search path of exactly these directories, all of them the agent's own.
    public init(_ directories: [String]) {
        self.init(given: directories, standard: [], own: nil)
    }

    private init(given: [String], configured: [String] = [], standard: [String], own: Set<String>?) {
        (self.given, self.standard, self.own) = (given, standard, own)
        var seen: Set<String> = []
        directories = (given + configured + standard).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The same path with these directories before the standard ones, replacing those that were configured before.
    func configured(_ directories: [String]) -> PluginSearchPath {
        PluginSearchPath(given: given, configured: directories, standard: standard, own: own)
    }

    /// The directories given, then the one staged beside the running executable, then the packaged one.
    ///
    /// The last two are the agent's own, and so is that of the executable: with who can write there, it makes no difference
    /// where a plugin runs.
    public static func standard(given: [String] = []) -> PluginSearchPath {
        let program = realPath("/proc/self/exe").flatMap(folder(of:))
        // `bin` and `lib` are next to each other.
        let beside = program.flatMap(folder(of:)).map { ["\($0)/lib/sonde/plugins"] } ?? []
        let standard = beside + ["/usr/lib/sonde/plugins"]
        let own = standard.compactMap(realPath) + (program.map { [$0] } ?? [])
        return PluginSearchPath(given: given, standard: standard, own: Set(own))
    }

    /// Whether a directory that was given or configured has a file for a plugin that is built in as well.
    func hides(_ name: PluginName) -> Bool {
        directories.contains { directory in
            !standard.contains(directory) && name.fileNames.contains { Self.exists("\(directory)/\($0)") }
        }
    }

    /// Whether a file lies in one of the agent's own directories, where it really is.
    func isOwn(_ file: String) -> Bool {
        guard let own else { return true }
        return Self.realPath(file).flatMap(Self.folder(of:)).map(own.contains) ?? false
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func folder(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// Every file that could be the plugin, in order.
    func files(of name: PluginName) -> [String] {
        directories.flatMap { directory in name.fileNames.map { "\(directory)/\($0)" } }.filter(Self.exists)
    }

    /// The names of all plugins in a directory, sorted.
    func names() -> [String] {
        var names: Set<String> = []
        for directory in directories {
            names.formUnion(Self.entries(of: directory).compactMap { PluginName(fileName: $0)?.text })
        }
        return names.sorted()
    }

    // What cannot be examined for another reason than its absence counts as present: opening it reports why.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    private static func entries(of directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var entries: [String] = []
        while let entry = readdir(stream) {
            // Not through the struct's fixed field: the record in the stream's buffer ends after the name.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            entries.append(String(cString: name))
        }
        return entries
    }
}
