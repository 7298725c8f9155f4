internal import SondeEngine

extension FileSystem {
    /// Replaces a file's contents atomically: after a crash the old ones are there or the new ones, and once this
    /// returns the new ones survive a power cut.
    ///
    /// Follows no link, neither at the path nor where a crash has left a half-written file.
    func replace(_ name: String, in directory: String, with bytes: [UInt8]) throws(FileSystemError) {
        let path = "\(directory)/\(name)"
        let draft = "\(path).new"
        try? unlink(draft)
        let file = try open(draft, .create)
        do throws(FileSystemError) {
            try file.writeWhole(bytes, at: 0)
            try file.syncData()
            try rename(draft, to: path)
        } catch {
            try? unlink(draft)
            throw error
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
