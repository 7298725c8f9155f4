internal import Glibc

/// Where a plugin is that was named by its file or by its name.
public struct PluginPlace {
    /// The plugin's name.
    public let name: String
    /// The directories to look for it in.
    public let directories: [String]
    /// The real path of the file that was named; nil: a name was.
    public let file: String?

    /// The place of what `word` names; nil: it is the path of a file that is no plugin by its name, or that does not exist.
    ///
    /// A name is looked for in the directories given, then in the usual ones.
    public init?(_ word: String, given: [String]) {
        guard word.hasSuffix(".so") || word.utf8.contains(UInt8(ascii: "/")) else {
            (name, directories, file) = (word, PluginSearchPath.standard(given: given).directories, nil)
            return
        }
        let slash = word.lastIndex(of: "/")
        let base = slash.map { word[word.index(after: $0)...] } ?? word[...]
        let directory = slash.map { $0 == word.startIndex ? "/" : String(word[..<$0]) } ?? "."
        guard let name = PluginName(fileName: String(base)), let real = Self.real(directory), let file = Self.real(word)
        else { return nil }
        (self.name, directories, self.file) = (name.text, [real], file)
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
