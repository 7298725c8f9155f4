internal import SondeEngine

/// Ends one life of the agent: at once, or when the file system has been called so often.
// One simulation runs on one thread; the file system of the engine has to be Sendable.
final class CrashSwitch: @unchecked Sendable {
    private(set) var isDead = false
    private var remaining: Int?

    /// Ends the life before that many more changes of the disk are done.
    func arm(after calls: Int) { remaining = calls }

    func kill() { isDead = true }

    /// Counts a change of the disk; true: this is the one in which it ends.
    func strikes() -> Bool {
        guard let left = remaining else { return false }
        remaining = left - 1
        if left <= 0 { isDead = true }
        return left <= 0
    }
}

/// The file system as one life of the agent sees it: what comes after its end changes nothing.
final class MortalFileSystem: FileSystem {
    private let system: SimulatedFileSystem
    private let life: CrashSwitch

    init(_ system: SimulatedFileSystem, _ life: CrashSwitch) {
        self.system = system
        self.life = life
    }

    func makeDirectory(_ path: String) throws(FileSystemError) {
        try change()
        try system.makeDirectory(path)
    }

    func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> any OpenFile {
        try opening == .read || opening == .update ? look() : change()
        return MortalFile(try system.open(path, opening), life)
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try change()
        try system.rename(path, to: newPath)
    }

    func unlink(_ path: String) throws(FileSystemError) {
        try change()
        try system.unlink(path)
    }

    func names(inDirectory path: String) throws(FileSystemError) -> [String] {
        try look()
        return try system.names(inDirectory: path)
    }

    func syncDirectory(_ path: String) throws(FileSystemError) {
        try change()
        try system.syncDirectory(path)
    }

    func space(at path: String) throws(FileSystemError) -> FileSystemSpace {
        try look()
        return try system.space(at: path)
    }

    private func look() throws(FileSystemError) {
        if life.isDead { throw FileSystemError(FileSystemError.inputOutput, "any") }
    }

    private func change() throws(FileSystemError) {
        try look()
        if life.strikes() { throw FileSystemError(FileSystemError.inputOutput, "any") }
    }
}

/// An open file as one life of the agent sees it; the write in which that life ends is torn.
private final class MortalFile: OpenFile {
    private let file: any OpenFile
    private let life: CrashSwitch

    init(_ file: any OpenFile, _ life: CrashSwitch) {
        self.file = file
        self.life = life
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        try look()
        return try file.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        try look()
        if life.strikes() {
            // How much of it arrives depends only on the length, so that a seed replays: nothing, a part, or all.
            let part = [0, bytes.count / 2, bytes.count][bytes.count % 3]
            _ = try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<part]), at: offset)
            throw FileSystemError(FileSystemError.inputOutput, "pwrite")
        }
        return try file.write(bytes, at: offset)
    }

    func truncate(to size: Int64) throws(FileSystemError) {
        try change()
        try file.truncate(to: size)
    }

    func allocate(_ size: Int64) throws(FileSystemError) {
        try change()
        try file.allocate(size)
    }

    func syncData() throws(FileSystemError) {
        try change()
        try file.syncData()
    }

    func lock() throws(FileSystemError) {
        try look()
        try file.lock()
    }

    func size() throws(FileSystemError) -> Int64 {
        try look()
        return try file.size()
    }

    func isLinked() throws(FileSystemError) -> Bool {
        try look()
        return try file.isLinked()
    }

    private func look() throws(FileSystemError) {
        if life.isDead { throw FileSystemError(FileSystemError.inputOutput, "any") }
    }

    private func change() throws(FileSystemError) {
        try look()
        if life.strikes() { throw FileSystemError(FileSystemError.inputOutput, "any") }
    }
}
