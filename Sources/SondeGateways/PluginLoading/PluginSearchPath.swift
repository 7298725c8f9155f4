internal import Glibc

/// Where plugins are searched, in order; the first hit is used.
public struct PluginSearchPath: Hashable, Sendable {
    /// The directories in order, none twice.
    public let directories: [String]

    private let given: [String]
    private let standard: [String]

    /// A search path of exactly these directories.
    public init(_ directories: [String]) {
        self.init(given: directories)
    }

    private init(given: [String], configured: [String] = [], standard: [String] = []) {
        (self.given, self.standard) = (given, standard)
        var seen: Set<String> = []
        directories = (given + configured + standard).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The same path with these directories before the standard ones, replacing those that were configured before.
    func configured(_ directories: [String]) -> PluginSearchPath {
        PluginSearchPath(given: given, configured: directories, standard: standard)
    }

    /// The directories given, then the one staged beside the running executable, then the packaged one.
    public static func standard(given: [String] = []) -> PluginSearchPath {
        let beside = prefixOfExecutable.map { ["\($0)/lib/sonde/plugins"] } ?? []
        return PluginSearchPath(given: given, standard: beside + ["/usr/lib/sonde/plugins"])
    }

    // The directory above that of the executable, as `bin` and `lib` are next to each other.
    private static var prefixOfExecutable: Substring? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        guard let directory = path.lastIndex(of: "/").map({ path[..<$0] }) else { return nil }
        return directory.lastIndex(of: "/").map { directory[..<$0] }
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
