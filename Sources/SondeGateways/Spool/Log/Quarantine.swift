internal import SondeEngine

/// Keeps what could not be read, within a bound, for inspection.
struct Quarantine {
    private static let chunk = 64 << 10

    private let fileSystem: any FileSystem
    private let directory: String
    private let bound: Int64
    private var files: [(name: String, bytes: Int64)] = []

    /// How much it holds.
    private(set) var bytes: Int64 = 0

    /// A quarantine of at most `bound` bytes.
    init(_ fileSystem: any FileSystem, directory: String, bound: Int64) {
        self.fileSystem = fileSystem
        self.directory = directory
        self.bound = bound
        for name in ((try? fileSystem.names(inDirectory: directory)) ?? []).sorted() {
            guard let file = try? fileSystem.open("\(directory)/\(name)", .read), let size = try? file.size() else {
                continue
            }
            files.append((name, size))
            bytes &+= size
        }
        makeRoom(for: 0)
    }

    /// Copies the end of a file, as much of it as there is room for; failures are ignored.
    mutating func keep(_ file: any OpenFile, from offset: Int64, as name: String) {
        guard let size = try? file.size(), size > offset else { return }
        let count = min(size &- offset, bound)
        makeRoom(for: count)
        guard let copy = makeFile(name) else { return }
        var copied: Int64 = 0
        do throws(FileSystemError) {
            while copied < count {
                let part = try file.readWhole(Int(min(Int64(Self.chunk), count &- copied)), at: offset &+ copied)
                if part.isEmpty { break }
                try copy.writeWhole(part, at: copied)
                copied &+= Int64(part.count)
            }
        } catch {
            try? fileSystem.unlink("\(directory)/\(name)")
            return
        }
        files.append((name, copied))
        bytes &+= copied
    }

    /// Moves a file here whose contents cannot or must not be read; it is removed where that fails.
    ///
    /// `size` is nil when its length is not known.
    mutating func take(_ path: String, size known: Int64?, as name: String) {
        let size = known ?? bound
        makeRoom(for: min(size, bound))
        try? fileSystem.makeDirectory(directory)
        do throws(FileSystemError) {
            guard size <= bound else { throw FileSystemError(FileSystemError.noSpace, "rename") }
            try fileSystem.rename(path, to: "\(directory)/\(name)")
        } catch {
            try? fileSystem.unlink(path)
            return
        }
        files.removeAll { $0.name == name }
        files.append((name, size))
        bytes = files.reduce(0) { $0 &+ $1.bytes }
    }

    private func makeFile(_ name: String) -> (any OpenFile)? {
        try? fileSystem.makeDirectory(directory)
        try? fileSystem.unlink("\(directory)/\(name)")
        return try? fileSystem.open("\(directory)/\(name)", .create)
    }

    private mutating func makeRoom(for count: Int64) {
        while bytes > bound &- count, let oldest = files.first {
            files.removeFirst()
            bytes &-= oldest.bytes
            try? fileSystem.unlink("\(directory)/\(oldest.name)")
        }
    }
}
