internal import SondeEngine

/// The files of segments: makes, cuts, sets aside and removes them.
struct SegmentFiles {
    /// Runs on a new segment's file before it gets its name.
    typealias Preparation = (any OpenFile) throws(FileSystemError) -> Void

    private let folder: SpoolFolder
    private(set) var quarantine: Quarantine
    /// The size of files that could not be removed.
    private(set) var strayBytes: Int64 = 0

    init(_ folder: SpoolFolder) {
        self.folder = folder
        quarantine = Quarantine(
            folder.fileSystem, directory: folder.quarantine, bound: folder.settings.maxBytes / 8)
    }

    /// Makes a segment atomically: its name is there with a whole header, or keeps its former file.
    ///
    /// An empty segment of that name may be the only one that holds the checkpoints.
    func make(_ first: UInt64, _ bytes: [UInt8], _ prepare: Preparation) throws(FileSystemError) -> any OpenFile {
        var isRepeated = false
        while true {
            do throws(FileSystemError) {
                return try folder.fileSystem.make(folder.segment(first)) { file throws(FileSystemError) in
                    try file.writeWhole(bytes, at: 0)
                    try prepare(file)
                }
            } catch {
                guard error.code == FileSystemError.notFound else {
                    folder.failures.note(error, "no new segment could be made")
                    throw error
                }
                guard !isRepeated, makeDirectories() else { throw error }
                isRepeated = true
            }
        }
    }

    /// Makes the directory again after it was removed, perhaps with the state directory that contains it.
    func makeDirectories() -> Bool {
        let path = folder.path
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try? folder.fileSystem.makeDirectory(String(path[..<slash]))
        }
        do throws(FileSystemError) {
            try folder.fileSystem.makeDirectory(path)
        } catch {
            guard error.code == FileSystemError.exists else {
                folder.failures.note(error, "the directory could not be made")
                return false
            }
        }
        return true
    }

    /// Removes the name of a file that is that long.
    mutating func remove(_ first: UInt64, _ bytes: Int64) {
        do throws(FileSystemError) {
            try folder.fileSystem.unlink(folder.segment(first))
        } catch {
            guard error.code != FileSystemError.notFound else { return }
            strayBytes &+= bytes
            folder.failures.note(error, "a segment could not be removed")
        }
    }

    /// Moves the end of a file to the quarantine; whether it was cut off.
    mutating func cut(_ first: UInt64, _ openFile: (any OpenFile)?, at offset: Int64) -> Bool {
        let name = SpoolFolder.segmentName(first)
        guard let file = openFile ?? (try? folder.open(first, .update)) else { return false }
        quarantine.keep(file, from: offset, as: "\(name).\(offset)")
        do throws(FileSystemError) {
            try file.truncate(to: offset)
            return true
        } catch {
            folder.failures.note(error, "'\(name)' could not be cut")
            return false
        }
    }

    /// Moves a file to the quarantine whose contents cannot or must not be read; `size` is nil when it is not known.
    mutating func setAside(_ first: UInt64, size: Int64?, as suffix: String) {
        quarantine.take(folder.segment(first), size: size, as: "\(SpoolFolder.segmentName(first)).\(suffix)")
    }

    /// Moves the contents of a file without a readable header to the quarantine.
    mutating func discard(_ first: UInt64) {
        if let file = try? folder.open(first) {
            quarantine.keep(file, from: 0, as: "\(SpoolFolder.segmentName(first)).0")
        }
        remove(first, 0)
    }
}
