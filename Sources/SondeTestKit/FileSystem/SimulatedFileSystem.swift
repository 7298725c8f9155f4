public import SondeEngine
internal import Synchronization

/// A file system in memory that fails as real ones do: short writes, no room, errors, and power cuts that keep any part
/// of what was not synced.
///
/// Everything it does by chance comes from its seed. May be called from any thread.
public final class SimulatedFileSystem: FileSystem {
    /// Calls that can be made to fail.
    public enum Call: String, Hashable, Sendable, CaseIterable {
        /// Opening what is there.
        case open
        /// Making a file.
        case create
        /// Reading.
        case read
        /// Writing.
        case write
        /// Cutting a file.
        case truncate
        /// Reserving room.
        case allocate
        /// Syncing a file.
        case syncData
        /// Syncing a directory.
        case syncDirectory
        /// Renaming.
        case rename
        /// Removing a name.
        case unlink
        /// Making a directory.
        case makeDirectory
    }

    /// What a power cut keeps of what was not synced.
    public enum PowerCut: Hashable, Sendable, CaseIterable {
        /// Nothing.
        case nothing
        /// All of it.
        case everything
        /// The first part, in the order in which it was done.
        case prefix
        /// Any sectors and any names, in any order.
        case anything
    }

    let disk: Mutex<SimulatedDisk>

    /// An empty file system.
    public init(seed: UInt64 = 1) {
        disk = Mutex(SimulatedDisk(seed: seed))
    }

    /// How many bytes all files together may have; nil: as many as they like.
    public var quota: Int? {
        get { disk.withLock { $0.quota } }
        set { disk.withLock { $0.quota = newValue } }
    }

    /// One write in this many takes only a part of what it is given; nil: none does.
    public var shortWriteOneIn: Int? {
        get { disk.withLock { $0.shortWriteOneIn } }
        set { disk.withLock { $0.shortWriteOneIn = newValue } }
    }

    /// Lets a call fail by chance: one in this many, with this errno value.
    public func fail(_ call: Call, with code: Int32, oneIn count: Int) {
        disk.withLock { $0.chances[call] = SimulatedDisk.Chance(code: code, oneIn: count) }
    }

    /// Lets a call fail `times` times, after it has succeeded `skipping` times.
    public func fail(_ call: Call, with code: Int32, skipping: Int = 0, times: Int = 1) {
        disk.withLock { $0.planned[call] = SimulatedDisk.Plan(code: code, skipping: skipping, times: times) }
    }

    /// Lets every call succeed again.
    public func heal() {
        disk.withLock { disk in
            disk.chances = [:]
            disk.planned = [:]
            disk.shortWriteOneIn = nil
            disk.quota = nil
        }
    }

    /// How often a call was made.
    public func count(of call: Call) -> Int {
        disk.withLock { $0.counts[call] ?? 0 }
    }

    /// How many bytes were read from all files together.
    public var readBytes: Int { disk.withLock { $0.readBytes } }

    /// Ends the process: everything written stays, every open file and lock is gone.
    public func killProcess() {
        disk.withLock { $0.killProcess() }
    }

    /// Cuts the power: of what was not synced only a part stays.
    public func cutPower(keeping kept: PowerCut) {
        disk.withLock { $0.cutPower(keeping: kept) }
    }

    /// The bytes of a file; nil when there is none.
    public func contents(of path: String) -> [UInt8]? {
        disk.withLock { $0.contents(of: path) }
    }

    /// Replaces the bytes of a file, as a defect of the disk would; they are safe at once.
    public func setContents(of path: String, _ bytes: [UInt8]) {
        disk.withLock { $0.setContents(of: path, bytes) }
    }

    /// How many bytes all files have together.
    public var usedBytes: Int { disk.withLock { $0.usedBytes } }

    /// The paths of all files, sorted.
    public var paths: [String] { disk.withLock { $0.paths } }

    /// Removes a directory with all it holds.
    public func removeTree(_ path: String) {
        disk.withLock { $0.removeTree(path) }
    }

    // MARK: FileSystem

    /// Makes one directory.
    public func makeDirectory(_ path: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in try disk.makeDirectory(path) }
    }

    /// Opens a file.
    public func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> any OpenFile {
        let (node, boot) = try disk.withLock { disk throws(FileSystemError) in try disk.open(path, opening) }
        return SimulatedFile(self, node: node, boot: boot)
    }

    /// Gives a file another name.
    public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in try disk.rename(path, to: newPath) }
    }

    /// Removes a name.
    public func unlink(_ path: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in try disk.unlink(path) }
    }

    /// The names in a directory.
    public func names(inDirectory path: String) throws(FileSystemError) -> [String] {
        try disk.withLock { disk throws(FileSystemError) in try disk.names(in: path) }
    }

    /// Makes the names in a directory safe.
    public func syncDirectory(_ path: String) throws(FileSystemError) {
        try disk.withLock { disk throws(FileSystemError) in try disk.syncDirectory(path) }
    }

    /// What the quota leaves.
    public func space(at path: String) throws(FileSystemError) -> FileSystemSpace {
        disk.withLock { disk in
            guard let quota = disk.quota else { return FileSystemSpace(available: 1 << 40, total: 1 << 40) }
            return FileSystemSpace(available: Int64(max(0, quota - disk.usedBytes)), total: Int64(quota))
        }
    }
}

/// An open file of a ``SimulatedFileSystem``.
final class SimulatedFile: OpenFile {
    private let system: SimulatedFileSystem
    private let node: Int
    private let boot: Int
    private let holdsLock = Atomic<Bool>(false)

    init(_ system: SimulatedFileSystem, node: Int, boot: Int) {
        self.system = system
        self.node = node
        self.boot = boot
    }

    deinit {
        guard holdsLock.load(ordering: .relaxed) else { return }
        let (node, boot) = (node, boot)
        system.disk.withLock { $0.unlock(node, boot) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        let bytes = try access(.read) { disk in disk.read(node, Int(offset), buffer.count) }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        let bytes = Array(bytes)
        return try access(.write) { disk throws(FileSystemError) in try disk.write(node, Int(offset), bytes) }
    }

    func truncate(to size: Int64) throws(FileSystemError) {
        try access(.truncate) { $0.truncate(node, to: Int(size)) }
    }

    func allocate(_ size: Int64) throws(FileSystemError) {
        try access(.allocate) { disk throws(FileSystemError) in try disk.allocate(node, Int(size)) }
    }

    func syncData() throws(FileSystemError) {
        try system.disk.withLock { disk throws(FileSystemError) in
            try disk.check(boot)
            try disk.syncData(node)
        }
    }

    func lock() throws(FileSystemError) {
        try system.disk.withLock { disk throws(FileSystemError) in
            try disk.check(boot)
            try disk.lock(node)
        }
        holdsLock.store(true, ordering: .relaxed)
    }

    func size() throws(FileSystemError) -> Int64 {
        try system.disk.withLock { disk throws(FileSystemError) in
            try disk.check(boot)
            return Int64(disk.size(node))
        }
    }

    func isLinked() throws(FileSystemError) -> Bool {
        try system.disk.withLock { disk throws(FileSystemError) in
            try disk.check(boot)
            return disk.isLinked(node)
        }
    }

    private func access<Result: Sendable>(
        _ call: SimulatedFileSystem.Call,
        _ body: (inout SimulatedDisk) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try system.disk.withLock { disk throws(FileSystemError) in
            try disk.check(boot)
            try disk.meet(call)
            return try body(&disk)
        }
    }
}
