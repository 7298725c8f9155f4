import SondeEngine
import SondeTestKit
import Synchronization

/// A simulated disk on which a kind of call waits while a test has closed it.
final class SlowFileSystem: FileSystem {
    enum Call {
        case read, write, sync
    }

    private struct Gates {
        let entered: Gate
        var release: Gate?
        var closed = Call.sync
    }

    private let disk = SimulatedFileSystem()
    private let gates: Mutex<Gates>

    init() throws {
        gates = Mutex(Gates(entered: try Gate()))
    }

    /// From now on these calls wait.
    func close(_ call: Call = .sync) {
        guard let gate = try? Gate() else { return }
        gates.withLock { gates in
            gates.release = gate
            gates.closed = call
        }
    }

    /// Calls that wait continue, and later ones do not wait.
    func open() {
        gates.withLock { gates in
            gates.release?.open()
            gates.release = nil
        }
    }

    /// Waits until a call waits.
    func waitForCall() -> Bool { gates.withLock { $0.entered }.wait() }

    fileprivate func pass(_ call: Call) {
        let gates = gates.withLock { $0 }
        guard let release = gates.release, gates.closed == call else { return }
        gates.entered.open()
        release.wait()
    }

    func makeDirectory(_ path: String) throws(FileSystemError) { try disk.makeDirectory(path) }

    func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> any OpenFile {
        SlowFile(self, try disk.open(path, opening))
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) { try disk.rename(path, to: newPath) }

    func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

    func names(inDirectory path: String) throws(FileSystemError) -> [String] { try disk.names(inDirectory: path) }

    func syncDirectory(_ path: String) throws(FileSystemError) {
        pass(.sync)
        try disk.syncDirectory(path)
    }

    func space(at path: String) throws(FileSystemError) -> FileSystemSpace { try disk.space(at: path) }
}

/// A file on it.
private final class SlowFile: OpenFile {
    private let system: SlowFileSystem
    private let file: any OpenFile

    init(_ system: SlowFileSystem, _ file: any OpenFile) {
        self.system = system
        self.file = file
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        system.pass(.read)
        return try file.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        system.pass(.write)
        return try file.write(bytes, at: offset)
    }

    func truncate(to size: Int64) throws(FileSystemError) { try file.truncate(to: size) }

    func allocate(_ size: Int64) throws(FileSystemError) { try file.allocate(size) }

    func syncData() throws(FileSystemError) {
        system.pass(.sync)
        try file.syncData()
    }

    func lock() throws(FileSystemError) { try file.lock() }

    func size() throws(FileSystemError) -> Int64 { try file.size() }

    func isLinked() throws(FileSystemError) -> Bool { try file.isLinked() }
}
