import SondeEngine
import SondeTestKit
import Synchronization

/// A simulated disk on which something else happens while a file gets its name.
final class RenameWatcher: FileSystem {
    private let disk: SimulatedFileSystem
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ disk: SimulatedFileSystem) {
        self.disk = disk
    }

    /// What is done once, before the next rename.
    func beforeRename(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
        try disk.rename(path, to: newPath)
    }

    func makeDirectory(_ path: String) throws(FileSystemError) { try disk.makeDirectory(path) }

    func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> any OpenFile {
        try disk.open(path, opening)
    }

    func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

    func names(inDirectory path: String) throws(FileSystemError) -> [String] { try disk.names(inDirectory: path) }

    func syncDirectory(_ path: String) throws(FileSystemError) { try disk.syncDirectory(path) }

    func space(at path: String) throws(FileSystemError) -> FileSystemSpace { try disk.space(at: path) }
}
