internal import SondeEngine

/// What a ``SimulatedFileSystem`` holds, now and after a power cut.
///
/// Not thread-safe.
struct SimulatedDisk {
    /// A call that fails by chance.
    struct Chance {
        let code: Int32
        let oneIn: Int
    }

    /// A call that fails a number of times.
    struct Plan {
        let code: Int32
        var skipping: Int
        var times: Int
    }

    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(Int)
    }

    private enum NameChange {
        case link(String, Int)
        case unlink(String)
        case rename(String, String, Int)
    }

    private struct Node {
        var bytes: [UInt8] = []
        var safe: [UInt8] = []
        var changes: [Change] = []
        var isLocked = false
    }

    private static let sector = 512
    private static let directory = -1

    var quota: Int?
    var shortWriteOneIn: Int?
    var chances: [SimulatedFileSystem.Call: Chance] = [:]
    var planned: [SimulatedFileSystem.Call: Plan] = [:]
    private(set) var counts: [SimulatedFileSystem.Call: Int] = [:]
    private(set) var readBytes = 0

    private var random: SeededGenerator
    private var nodes: [Int: Node] = [:]
    private var names: [String: Int] = [:]
    private var safeNames: [String: Int] = [:]
    private var nameChanges: [NameChange] = []
    private var nextNode = 0
    private var boot = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    var usedBytes: Int { names.values.reduce(0) { $0 + (nodes[$1]?.bytes.count ?? 0) } }
    var paths: [String] { names.filter { $0.value != Self.directory }.keys.sorted() }

    /// Counts a call and fails it if that is its lot.
    mutating func meet(_ call: SimulatedFileSystem.Call) throws(FileSystemError) {
        counts[call, default: 0] += 1
        if var plan = planned[call] {
            if plan.skipping > 0 {
                plan.skipping -= 1
                planned[call] = plan
            } else if plan.times > 0 {
                plan.times -= 1
                planned[call] = plan
                throw FileSystemError(plan.code, call.rawValue)
            }
        }
        if let chance = chances[call], random.isOneIn(chance.oneIn) {
            throw FileSystemError(chance.code, call.rawValue)
        }
    }

    /// Fails when the file was opened before the process or the power went.
    func check(_ boot: Int) throws(FileSystemError) {
        guard boot == self.boot else { throw FileSystemError(FileSystemError.badDescriptor, "any") }
    }

    // MARK: Names

    mutating func makeDirectory(_ path: String) throws(FileSystemError) {
        try meet(.makeDirectory)
        guard names[path] == nil else { throw FileSystemError(FileSystemError.exists, "mkdir") }
        // The directory itself is safe at once: what is under test lives inside it.
        names[path] = Self.directory
        safeNames[path] = Self.directory
    }

    mutating func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> (Int, Int) {
        let known = names[path]
        if let known {
            guard opening != .create else { throw FileSystemError(FileSystemError.exists, "open") }
            try meet(.open)
            return (known, boot)
        }
        guard opening == .create || opening == .openOrCreate else {
            throw FileSystemError(FileSystemError.notFound, "open")
        }
        guard names[Self.parent(of: path)] == Self.directory else {
            throw FileSystemError(FileSystemError.notFound, "open")
        }
        try meet(.create)
        let node = nextNode
        nextNode += 1
        nodes[node] = Node()
        names[path] = node
        nameChanges.append(.link(path, node))
        return (node, boot)
    }

    mutating func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try meet(.rename)
        guard let node = names.removeValue(forKey: path) else {
            throw FileSystemError(FileSystemError.notFound, "rename")
        }
        if node == Self.directory {
            guard names[newPath] == nil else {
                names[path] = node
                throw FileSystemError(FileSystemError.exists, "rename")
            }
            moveTree(path, to: newPath)
            return
        }
        names[newPath] = node
        nameChanges.append(.rename(path, newPath, node))
    }

    mutating func unlink(_ path: String) throws(FileSystemError) {
        guard names[path] != nil else { throw FileSystemError(FileSystemError.notFound, "unlink") }
        try meet(.unlink)
        names[path] = nil
        nameChanges.append(.unlink(path))
    }

    func names(in path: String) throws(FileSystemError) -> [String] {
        guard names[path] == Self.directory else { throw FileSystemError(FileSystemError.notFound, "opendir") }
        // Sorted, since a dictionary has another order in every process and runs must replay.
        return names.keys.filter { Self.parent(of: $0) == path }.map { String($0.dropFirst(path.utf8.count + 1)) }
            .sorted()
    }

    mutating func syncDirectory(_ path: String) throws(FileSystemError) {
        try meet(.syncDirectory)
        for change in nameChanges { Self.apply(change, to: &safeNames) }
        nameChanges.removeAll()
    }

    /// Moves a directory, with all that is in it safe: what is under test lives in one directory.
    private mutating func moveTree(_ path: String, to newPath: String) {
        names[newPath] = Self.directory
        for (name, node) in names where name.hasPrefix("\(path)/") {
            names[name] = nil
            names[newPath + name.dropFirst(path.utf8.count)] = node
        }
        safeNames = names
        nameChanges.removeAll()
    }

    mutating func removeTree(_ path: String) {
        for name in names.keys where name == path || name.hasPrefix("\(path)/") {
            names[name] = nil
            safeNames[name] = nil
        }
        nameChanges.removeAll()
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .link(let path, let node): names[path] = node
        case .unlink(let path): names[path] = nil
        case .rename(let path, let newPath, let node):
            names[path] = nil
            names[newPath] = node
        }
    }

    // MARK: Contents

    func contents(of path: String) -> [UInt8]? {
        names[path].flatMap { nodes[$0]?.bytes }
    }

    mutating func setContents(of path: String, _ bytes: [UInt8]) {
        guard let node = names[path] else { return }
        nodes[node]?.bytes = bytes
        nodes[node]?.safe = bytes
        nodes[node]?.changes.removeAll()
    }

    func size(_ node: Int) -> Int { nodes[node]?.bytes.count ?? 0 }
    func isLinked(_ node: Int) -> Bool { names.values.contains(node) }

    mutating func read(_ node: Int, _ offset: Int, _ count: Int) -> [UInt8] {
        let bytes = nodes[node]?.bytes ?? []
        guard offset < bytes.count else { return [] }
        readBytes += min(bytes.count - offset, count)
        return Array(bytes[offset..<min(bytes.count, offset + count)])
    }

    mutating func write(_ node: Int, _ offset: Int, _ bytes: [UInt8]) throws(FileSystemError) -> Int {
        guard !bytes.isEmpty else { return 0 }
        var count = bytes.count
        if let oneIn = shortWriteOneIn, count > 1, random.isOneIn(oneIn) {
            count = Int.random(in: 1..<count, using: &random)
        }
        if let quota {
            let growth = max(0, offset + count - size(node))
            let room = max(0, quota - usedBytes)
            count -= max(0, growth - room)
            guard count > 0 else { throw FileSystemError(FileSystemError.noSpace, "pwrite") }
        }
        let taken = Array(bytes[..<count])
        Self.apply(.write(offset: offset, bytes: taken), to: &nodes[node, default: Node()].bytes)
        nodes[node]?.changes.append(.write(offset: offset, bytes: taken))
        return count
    }

    mutating func truncate(_ node: Int, to size: Int) {
        Self.apply(.truncate(size), to: &nodes[node, default: Node()].bytes)
        nodes[node]?.changes.append(.truncate(size))
    }

    mutating func allocate(_ node: Int, _ size: Int) throws(FileSystemError) {
        let growth = size - self.size(node)
        guard growth > 0 else { return }
        if let quota, growth > quota - usedBytes { throw FileSystemError(FileSystemError.noSpace, "fallocate") }
        truncate(node, to: size)
    }

    mutating func syncData(_ node: Int) throws(FileSystemError) {
        do throws(FileSystemError) {
            try meet(.syncData)
        } catch {
            // As on Linux: the pages count as clean, what they held never reaches the disk, and the error is not reported again.
            nodes[node]?.changes.removeAll()
            throw error
        }
        let bytes = nodes[node]?.bytes ?? []
        nodes[node]?.safe = bytes
        nodes[node]?.changes.removeAll()
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, let new):
            if bytes.count < offset + new.count {
                bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
            }
            bytes.replaceSubrange(offset..<(offset + new.count), with: new)
        case .truncate(let size):
            if size < bytes.count { bytes.removeLast(bytes.count - size) }
            if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
        }
    }

    // MARK: Locks and ends

    mutating func lock(_ node: Int) throws(FileSystemError) {
        guard nodes[node]?.isLocked == false else { throw FileSystemError(FileSystemError.wouldBlock, "flock") }
        nodes[node]?.isLocked = true
    }

    mutating func unlock(_ node: Int, _ boot: Int) {
        if boot == self.boot { nodes[node]?.isLocked = false }
    }

    mutating func killProcess() {
        boot += 1
        for node in nodes.keys { nodes[node]?.isLocked = false }
    }

    mutating func cutPower(keeping kept: SimulatedFileSystem.PowerCut) {
        killProcess()
        for node in nodes.keys.sorted() { cutPower(node, kept) }
        for change in Self.kept(nameChanges, kept, &random) { Self.apply(change, to: &safeNames) }
        nameChanges.removeAll()
        names = safeNames
        let linked = Set(names.values)
        nodes = nodes.filter { linked.contains($0.key) }
    }

    private mutating func cutPower(_ index: Int, _ kept: SimulatedFileSystem.PowerCut) {
        guard var node = nodes[index] else { return }
        let size = node.bytes.count
        let changes = kept == .anything ? node.changes.flatMap(Self.sectors) : node.changes
        for change in Self.kept(changes, kept, &random) { Self.apply(change, to: &node.safe) }
        // Journals may know the length of data that never arrived: it reads as zeros.
        if kept == .anything, node.safe.count < size, random.isOneIn(4) {
            Self.apply(.truncate(size), to: &node.safe)
        }
        node.bytes = node.safe
        node.changes.removeAll()
        nodes[index] = node
    }

    private static func kept<Element>(
        _ changes: [Element],
        _ kept: SimulatedFileSystem.PowerCut,
        _ random: inout SeededGenerator
    ) -> [Element] {
        switch kept {
        case .nothing: return []
        case .everything: return changes
        case .prefix: return Array(changes.prefix(Int.random(in: 0...changes.count, using: &random)))
        case .anything: return changes.filter { _ in Bool.random(using: &random) }
        }
    }

    private static func sectors(_ change: Change) -> [Change] {
        guard case .write(let offset, let bytes) = change else { return [change] }
        var parts: [Change] = []
        var start = 0
        while start < bytes.count {
            let room = sector - (offset + start) % sector
            let end = min(bytes.count, start + room)
            parts.append(.write(offset: offset + start, bytes: Array(bytes[start..<end])))
            start = end
        }
        return parts
    }
}

extension SeededGenerator {
    /// True once in `count` times.
    fileprivate mutating func isOneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<max(1, count), using: &self) == 0
    }
}
