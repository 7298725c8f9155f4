internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// One open log file and how far it was read.
///
/// The last line is not kept while it has no end: the file keeps it, and it is read again with what follows. Every read
/// begins a little in front of the position: changed bytes there show that the file was truncated
/// and rewritten, independently of its length now.
final class FollowedFile {
    /// The result of one read.
    enum Outcome {
        case progressed
        /// There is nothing more at the moment.
        case atEnd
        /// It was cut short, or is not what was read before.
        case replaced
        case failed(errno: Int32)
    }

    let descriptor: Int32
    let identity: FileIdentity
    /// Where it was opened; for messages.
    let path: String
    private(set) var head: Fingerprint
    private(set) var seam: Fingerprint
    private(set) var offset: Int64
    /// Since when it no longer has the followed name.
    var nameLost: MonotonicInstant?
    /// Reads in a row that found nothing new after the name was lost.
    private(set) var emptyReads = 0
    /// When a read last found something, or when the name was lost.
    private(set) var lastNews = MonotonicInstant(nanoseconds: .min)
    /// Whether everything in it had been read at the last look.
    private(set) var isAtEnd = false
    /// What inotify calls it; nil when it is not watched.
    var watch: Int32?
    private var cutter: LineCutter

    /// Reads from the beginning, or from where `record` stopped; takes over the descriptor.
    ///
    /// Nil, with the descriptor closed, when it cannot be read.
    init?(_ log: OpenedLog, lineLimit: Int, from record: FileRecord? = nil) {
        guard let head = Fingerprint.head(of: log.descriptor) else {
            close(log.descriptor)
            return nil
        }
        descriptor = log.descriptor
        identity = FileIdentity(log.status)
        path = log.realPath
        self.head = head
        offset = record?.offset ?? 0
        seam = record?.seam ?? .empty
        cutter = LineCutter(limit: lineLimit)
        cutter.isSkipping = record?.isSkipping ?? false
    }

    deinit {
        close(descriptor)
    }

    /// Whether another open file begins with all that is in this one.
    func isBeginning(of other: Int32) -> Bool {
        guard let size = status.map({ Int64($0.st_size) }), size > 0 else { return false }
        guard let head = Fingerprint.head(of: descriptor), let end = Fingerprint.seam(of: descriptor, before: size)
        else {
            return false
        }
        return head.matches(other, at: 0) && end.matches(other, at: size &- Int64(end.length))
    }

    /// Skips what the file holds now, and a line that is being written.
    func skipToEnd() {
        guard let status, status.st_size > 0 else { return }
        let end = Int64(status.st_size)
        guard let seam = Fingerprint.seam(of: descriptor, before: end) else { return }
        var last: UInt8 = 0
        cutter.isSkipping = pread(descriptor, &last, 1, off_t(end &- 1)) == 1 && last != 0x0a
        offset = end
        self.seam = seam
    }

    /// Begins again at the first byte that is no hole.
    func restart() {
        // SEEK_DATA (unistd.h shows it for _GNU_SOURCE only).
        let data = lseek(descriptor, 0, 3)
        offset = data > 0 ? Int64(data) : 0
        seam = Fingerprint.seam(of: descriptor, before: offset) ?? .empty
        if Int64(seam.length) != min(Int64(Fingerprint.seamLength), offset) {
            offset = 0
            seam = .empty
        }
        head = Fingerprint.head(of: descriptor) ?? .empty
        cutter.isSkipping = false
        isAtEnd = false
    }

    /// Marks that another file, or none, has the followed name now.
    func loseName(at now: MonotonicInstant) {
        nameLost = now
        lastNews = now
        emptyReads = 0
    }

    /// Reads once and hands on the whole lines found.
    @inline(__always)
    func read(
        _ buffer: ReadBuffer,
        _ counts: inout TailCounts,
        at now: MonotonicInstant,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Outcome {
        let count = pread(descriptor, buffer.bytes.baseAddress, buffer.bytes.count, off_t(offset &- Int64(seam.length)))
        guard count >= 0 else { return errno == EINTR ? .progressed : .failed(errno: errno) }
        let read = buffer.filled(count)
        guard isSame(read) else { return .replaced }
        let fresh = UnsafeRawBufferPointer(rebasing: read[seam.length...])
        let mark = offset == 0 ? LineCutter.markLength(fresh) : 0
        // A local copy: no exclusive access to the class is checked for a line.
        var cutter = cutter
        let used = mark &+ cutter.cut(UnsafeRawBufferPointer(rebasing: fresh[mark...]), &counts, body)
        self.cutter = cutter
        note(used: used, rest: fresh.count &- used, read, at: now)
        counts.bytes &+= UInt64(used)
        return count < buffer.bytes.count ? .atEnd : .progressed
    }

    /// Hands on the last line although it has no end: the file will not be written to any more.
    func finish(
        _ buffer: ReadBuffer,
        _ counts: inout TailCounts,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let count = pread(descriptor, buffer.bytes.baseAddress, buffer.bytes.count, off_t(offset))
        guard count > 0 else { return }
        let rest = buffer.filled(count)
        cutter.finish(rest, &counts, body)
        counts.bytes &+= UInt64(rest.count)
        advance(to: offset &+ Int64(rest.count))
    }

    /// What is needed to find it again.
    var record: FileRecord {
        FileRecord(
            identity: identity,
            head: head,
            seam: seam,
            offset: offset,
            modified: modified,
            isSkipping: cutter.isSkipping,
            isAtEnd: isAtEnd
        )
    }

    /// When it was last written to.
    var modified: Timestamp { status.map { Timestamp($0.st_mtim) } ?? Timestamp(nanoseconds: 0) }

    /// Whether nothing was handed on of it: then it can hardly be known whether it was filled and truncated since.
    var isUnread: Bool { offset == 0 }

    /// Whether it has no name at all any more.
    var isDeleted: Bool { status?.st_nlink == 0 }

    private var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Whether what was read is the same file's: it holds the bytes in front of the position, or, where nothing was
    /// handed on yet, those that it began with.
    @inline(__always)
    private func isSame(_ read: UnsafeRawBufferPointer) -> Bool {
        let print = offset == 0 ? head : seam
        return read.count >= print.length
            && Fingerprint(UnsafeRawBufferPointer(rebasing: read[..<print.length])) == print
    }

    /// Length of the line under way when the file was last read.
    private var restLength = 0

    @inline(__always)
    private func note(used: Int, rest: Int, _ read: UnsafeRawBufferPointer, at now: MonotonicInstant) {
        isAtEnd = rest == 0
        if used > 0 || rest != restLength {
            lastNews = now
            emptyReads = 0
        } else {
            emptyReads &+= 1
        }
        restLength = rest
        guard used > 0 else { return }
        let end = read.count &- rest
        seam = Fingerprint(UnsafeRawBufferPointer(rebasing: read[max(0, end &- Fingerprint.seamLength)..<end]))
        // What a file began with before anything was read of it may have been written over.
        if offset == 0 || head.length < Fingerprint.headLength { head = Fingerprint.head(of: descriptor) ?? head }
        offset &+= Int64(used)
    }

    private func advance(to end: Int64) {
        guard let seam = Fingerprint.seam(of: descriptor, before: end) else { return }
        offset = end
        self.seam = seam
        isAtEnd = true
    }
}
