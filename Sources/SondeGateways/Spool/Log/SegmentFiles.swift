internal import SondeEngine

/// The files of segments: makes, cuts, sets aside and removes them.
struct SegmentFiles {
    /// Runs on a new segment's file before it gets its name.
    typealias Preparation = (any OpenFile) throws(FileSystemError) -> Void

    // One retry when a file of that name was left over, and one when the directory was gone.
    private static let attempts = 3

    private let paths: SpoolPaths
    private let fileSystem: any FileSystem
    private let failures: SpoolFailures
    private(set) var quarantine: Quarantine
    /// The size of files that could not be removed.
    private(set) var strayBytes: Int64 = 0

    init(_ settings: DiskSpoolSettings, _ fileSystem: any FileSystem, _ failures: SpoolFailures) {
        paths = SpoolPaths(directory: settings.directory)
        self.fileSystem = fileSystem
        self.failures = failures
        quarantine = Quarantine(fileSystem, directory: paths.quarantine, bound: settings.maxBytes / 8)
    }

    /// Opens a segment's file for writing.
    func open(_ first: UInt64) throws(FileSystemError) -> any OpenFile {
        try fileSystem.open(paths.segment(first), .update)
    }

    /// Makes a segment atomically: its name is there with a whole header, or keeps its former file.
    ///
    /// An empty segment of that name may be the only one that holds the checkpoints.
    func make(_ first: UInt64, _ bytes: [UInt8], _ prepare: Preparation) throws(FileSystemError) -> any OpenFile {
        var left = Self.attempts
        while true {
            do throws(FileSystemError) {
                return try makeOnce(paths.segment(first), bytes, prepare)
            } catch {
                left -= 1
                switch error.code {
                // It was left by a removal that failed.
                case FileSystemError.exists: try? fileSystem.unlink("\(paths.segment(first)).new")
                case FileSystemError.notFound: guard makeDirectories() else { throw error }
                default:
                    failures.note(error, "no new segment could be made")
                    throw error
                }
                guard left > 0 else { throw error }
            }
        }
    }

    private func makeOnce(
        _ path: String,
        _ bytes: [UInt8],
        _ prepare: Preparation
    ) throws(FileSystemError) -> any OpenFile {
        let file = try fileSystem.open("\(path).new", .create)
        do throws(FileSystemError) {
            try file.writeWhole(bytes, at: 0)
            try prepare(file)
            try fileSystem.rename("\(path).new", to: path)
        } catch {
            try? fileSystem.unlink("\(path).new")
            throw error
        }
        return file
    }

    /// Makes the directory again after it was removed, perhaps with the state directory that contains it.
    func makeDirectories() -> Bool {
        let path = paths.directory
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try? fileSystem.makeDirectory(String(path[..<slash]))
        }
        do throws(FileSystemError) {
            try fileSystem.makeDirectory(path)
        } catch {
            guard error.code == FileSystemError.exists else {
                failures.note(error, "the directory could not be made")
                return false
            }
        }
        return true
    }

    /// Removes the name of a file that is that long.
    mutating func remove(_ first: UInt64, _ bytes: Int64) {
        do throws(FileSystemError) {
            try fileSystem.unlink(paths.segment(first))
        } catch {
            guard error.code != FileSystemError.notFound else { return }
            strayBytes &+= bytes
            failures.note(error, "a segment could not be removed")
        }
    }

    /// Moves the end of a file to the quarantine; whether it was cut off.
    mutating func cut(_ first: UInt64, _ openFile: (any OpenFile)?, at offset: Int64) -> Bool {
        let name = SpoolPaths.segmentName(first)
        guard let file = openFile ?? (try? open(first)) else { return false }
        quarantine.keep(file, from: offset, as: "\(name).\(offset)")
        do throws(FileSystemError) {
            try file.truncate(to: offset)
            return true
        } catch {
            failures.note(error, "'\(name)' could not be cut")
            return false
        }
    }

    /// Moves a file to the quarantine whose contents cannot or must not be read; `size` is nil when it is not known.
    mutating func setAside(_ first: UInt64, size: Int64?, as suffix: String) {
        quarantine.take(paths.segment(first), size: size, as: "\(SpoolPaths.segmentName(first)).\(suffix)")
    }

    /// Moves the contents of a file without a readable header to the quarantine.
    mutating func discard(_ first: UInt64) {
        if let file = try? fileSystem.open(paths.segment(first), .read) {
            quarantine.keep(file, from: 0, as: "\(SpoolPaths.segmentName(first)).0")
        }
        remove(first, 0)
    }

    /// Renames a file that another version wrote.
    func rename(_ first: UInt64, version: UInt16) {
        try? fileSystem.rename(paths.segment(first), to: "\(paths.segment(first)).v\(version)")
    }
}
