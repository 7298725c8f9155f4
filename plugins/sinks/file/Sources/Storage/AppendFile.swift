internal import CStatx
internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// One open file that batches are appended to, locked against other sinks.
///
/// A batch is in it whole or not at all, as far as the file system lets a failed write be taken back.
final class AppendFile {
    /// The file itself, links followed.
    let path: String
    private let descriptor: Int32
    let identity: FileIdentity
    /// The length as this sink left it; another one means that another process changed the file.
    private(set) var length: Int64
    /// The bytes of a failed batch that could not be removed.
    private var leftover: Range<Int64>?
    /// Whether the last line may lack its end.
    private var isTailUnknown = true

    /// The descriptor itself, not a path under it (fcntl.h shows it for _GNU_SOURCE only).
    private static let emptyPathFlag: Int32 = 0x1000

    private init(path: String, descriptor: Int32, status: stat) {
        self.path = path
        self.descriptor = descriptor
        identity = FileIdentity(status)
        length = Int64(status.st_size)
    }

    deinit {
        // A child that was just forked holds the lock beyond the close; an explicit unlock releases it.
        unlock()
        close(descriptor)
    }

    /// When the file was made, or nil when the file system does not store it.
    var birthTime: Timestamp? {
        var status = statx()
        guard statx(descriptor, "", Self.emptyPathFlag, UInt32(STATX_BTIME), &status) == 0,
            status.stx_mask & UInt32(STATX_BTIME) != 0
        else { return nil }
        return Timestamp(seconds: status.stx_btime.tv_sec)
    }

    /// When it was last written to.
    var modificationTime: Timestamp? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return Timestamp(seconds: Int64(status.st_mtim.tv_sec))
    }

    /// Brings the file to a line's end and returns its length.
    func settle() throws(PluginError) -> Int64 {
        let size = try currentSize()
        if let leftover, size == leftover.upperBound, ftruncate(descriptor, off_t(leftover.lowerBound)) == 0 {
            length = leftover.lowerBound
        } else if size != length || leftover != nil || isTailUnknown {
            length = size
            isTailUnknown = true
            try endLine()
        }
        leftover = nil
        isTailUnknown = false
        return length
    }

    /// Appends a batch; call ``settle()`` first.
    func append(_ bytes: [UInt8], sync: FileConfiguration.SyncPolicy) throws(PluginError) {
        let start = length
        var written = 0
        do throws(PluginError) {
            try write(bytes, &written)
            if sync == .batch { try flush() }
        } catch {
            takeBack(start..<start + Int64(written))
            throw error
        }
        length = start + Int64(written)
    }

    /// Forces what was written to the disk.
    func flush() throws(PluginError) {
        guard fdatasync(descriptor) != 0 else { return }
        let number = errno
        var error = PluginError.system("sync", path, number)
        if FileCause(number) == .inputOutput { error.code = "SND-FIL022" }
        throw error
    }

    private func write(_ bytes: [UInt8], _ written: inout Int) throws(PluginError) {
        while written < bytes.count {
            let offset = written
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + offset }, raw.count - offset)
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw .system("write to", path, count == 0 ? EIO : errno)
            }
        }
    }

    /// Cuts what a failed batch wrote, unless another process appended meanwhile: its lines are kept.
    private func takeBack(_ range: Range<Int64>) {
        guard !range.isEmpty, let size = try? currentSize(), size == range.upperBound else { return }
        if ftruncate(descriptor, off_t(range.lowerBound)) != 0 { leftover = range }
    }

    private func endLine() throws(PluginError) {
        guard length > 0 else { return }
        var last: UInt8 = 0
        let count = pread(descriptor, &last, 1, off_t(length - 1))
        guard count >= 0 else { throw .system("read", path, errno) }
        guard count == 1, last != UInt8(ascii: "\n") else { return }
        var written = 0
        try write([UInt8(ascii: "\n")], &written)
        length += 1
    }

    private func currentSize() throws(PluginError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("look at", path, errno) }
        return Int64(status.st_size)
    }
}

extension AppendFile {
    /// How often a file may be replaced under the opening before that is an error.
    private static let attemptBound = 8

    /// Opens the file, makes it if it is missing, and locks it.
    ///
    /// Never blocks, for any kind of file at the path.
    static func open(_ settings: FileConfiguration) throws(PluginError) -> AppendFile {
        for _ in 0..<attemptBound {
            let path = try FilePath.resolved(settings.path)
            if let file = try openOnce(path, settings) { return file }
        }
        throw .restless(settings.path)
    }

    /// Nil when the file was made, replaced or removed by another process meanwhile.
    private static func openOnce(_ path: String, _ settings: FileConfiguration) throws(PluginError) -> AppendFile? {
        guard let (descriptor, isNew) = try descriptor(path, settings.mode) else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw .system("look at", path, number)
        }
        let file = AppendFile(path: path, descriptor: descriptor, status: status)
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path, status.st_mode) }
        try file.lock()
        // A lock on a file that has lost its name since has no effect.
        guard FileIdentity(at: path) == file.identity else { return nil }
        if isNew, settings.sync != .none { Directory.sync(containing: path) }
        return file
    }

    private static func descriptor(
        _ path: String,
        _ mode: mode_t
    ) throws(PluginError) -> (descriptor: Int32, isNew: Bool)? {
        // Looked at before it is opened, because opening a device or a FIFO may do something.
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .notRegular(path, status.st_mode)
        }
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let existing = Glibc.open(path, flags)
        if existing >= 0 { return (existing, false) }
        guard errno == ENOENT else { throw .system("open", path, errno) }
        // 0600 first, so that a file never has more than the umask and the configured mode allow.
        let made = Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600)
        guard made >= 0 else {
            if errno == EEXIST { return nil }
            throw .system("create", path, errno)
        }
        fchmod(made, mode)
        return (made, true)
    }

    /// Lets the file be locked again, should it come back under its name.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// The lock is on the file itself: it survives renames, ends with the process, and leaves no other file behind.
    private func lock() throws(PluginError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        // Any other error: a file system without locks. Writing continues without a lock.
        if errno == EWOULDBLOCK { throw .locked(path) }
    }
}

extension AppendFile {
    /// How far back a line's begin is looked for.
    private static let tornLineBound = 1 << 20

    /// Cuts a last line that has no end and returns how many bytes it had; 0 when there was none.
    ///
    /// Such a line is what a killed agent or a power loss leaves in the middle of a write. Its batch was not
    /// acknowledged and comes again whole, so that nothing is lost with it. Without any line end within reach the file
    /// is not ours: it is not changed, and the first batch begins on its own line.
    func cutTornLine() -> Int64 {
        guard length > 0, let start = tornLineStart(), start < length else { return 0 }
        guard ftruncate(descriptor, off_t(start)) == 0 else { return 0 }
        let cut = length - start
        length = start
        return cut
    }

    /// Where the bytes after the last line end begin, or nil when no line end is within reach.
    private func tornLineStart() -> Int64? {
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var end = length
        while end > 0, length - end < Int64(Self.tornLineBound) {
            let start = max(0, end - Int64(block.count))
            let wanted = Int(end - start)
            let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(start)) }
            guard count == wanted else { return nil }
            if let newline = block[..<wanted].lastIndex(of: UInt8(ascii: "\n")) { return start + Int64(newline) + 1 }
            end = start
        }
        return nil
    }
}
