public import SondeEngine

/// Files that exist only in memory.
public struct FakeFileReader: FileReader {
    private let files: [String: FileContents]

    /// Files by path.
    public init(_ files: [String: FileContents]) {
        self.files = files
    }

    /// Text files by path, readable for their owner only.
    public init(texts: [String: String]) {
        files = texts.mapValues { FileContents(bytes: Array($0.utf8)) }
    }

    /// Reads one of the files.
    public func read(_ path: String, limit: Int) throws(FileReadFailure) -> FileContents {
        guard let contents = files[path] else { throw .notFound }
        guard contents.bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return contents
    }

    /// The files directly in a directory.
    public func directory(_ path: String, limit: Int) throws(FileReadFailure) -> DirectoryContents? {
        let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }
        guard !names.isEmpty else { return nil }
        guard names.count <= limit else { throw .tooManyEntries(limit: limit) }
        return DirectoryContents(names: names.filter { !$0.contains("/") })
    }
}
