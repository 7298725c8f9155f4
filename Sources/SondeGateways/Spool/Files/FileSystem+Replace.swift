internal import SondeEngine

extension FileSystem {
    /// Makes a file atomically: after a crash its name has what `body` has written, or what it had before.
    ///
    /// Follows no link, neither at the path nor where a crash has left a half-written file.
    @discardableResult
    func make(
        _ path: String,
        _ body: (any OpenFile) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> any OpenFile {
        let draft = "\(path).new"
        try? unlink(draft)
        let file = try open(draft, .create)
        do throws(FileSystemError) {
            try body(file)
            try rename(draft, to: path)
            return file
        } catch {
            try? unlink(draft)
            throw error
        }
    }

    /// Replaces a file's contents atomically; once this returns the new ones survive a power cut.
    func replace(_ name: String, in directory: String, with bytes: [UInt8]) throws(FileSystemError) {
        try make("\(directory)/\(name)") { file throws(FileSystemError) in
            try file.writeWhole(bytes, at: 0)
            try file.syncData()
        }
        try syncDirectory(directory)
    }

    /// Makes a directory whose name survives a power cut, unless it exists; its parent is `parent`.
    func requireDirectory(_ path: String, in parent: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try makeDirectory(path)
        } catch {
            guard error.code != FileSystemError.exists else { return }
            throw error
        }
        try syncDirectory(parent)
    }
}
