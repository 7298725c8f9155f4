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
    let descriptor: Int32
    let identity: FileIdentity
    /// Whether it was made by this opening.
    let isNew: Bool
    /// The length as this sink left it; another one means that somebody else changed the file.
    var length: Int64
    /// What a failed batch left behind when it could not be taken back.
    private var leftover: Range<Int64>?
    /// Whether the last line may lack its end.
    private var isTailUnknown = true

    /// The descriptor itself, not a path under it (fcntl.h shows it for _GNU_SOURCE only).
    private static let emptyPathFlag: Int32 = 0x1000

    init(path: String, descriptor: Int32, status: stat, isNew: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isNew = isNew
        identity = FileIdentity(status)
        length = Int64(status.st_size)
    }

    deinit {
        // A child that was just forked holds the lock beyond the close; an explicit unlock it does not outlive.
        unlock()
        close(descriptor)
    }

    /// When the file was made, or nil when the file system does not know.
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

    /// Brings the file to a line's end and tells its length.
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
    func append(_ bytes: [UInt8], sync: FileSettings.SyncPolicy) throws(PluginError) {
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

    /// Cuts what a failed batch wrote, unless somebody else appended meanwhile: their lines are not ours to cut.
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
