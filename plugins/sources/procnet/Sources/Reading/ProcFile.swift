internal import Glibc
internal import SondePluginKit

/// One file below `/proc`, read from its beginning again and again.
///
/// A file of procfs stays open: the kernel starts over when it is read at offset 0 (`seq_read_iter`, fs/seq_file.c) and
/// keeps the buffer that it has grown, which halves the cost of a reading. Any other file, in a copied tree for
/// instance, is opened every time, because it may be replaced.
struct ProcFile: ~Copyable {
    private let path: String
    private let limit: Int
    private let tape: SourceTape?
    private var descriptor: Int32 = -1

    init(path: String, limit: Int, tape: SourceTape? = nil) {
        self.path = path
        self.limit = limit
        self.tape = tape
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Reads the whole file and returns how many bytes it had.
    mutating func read(into buffer: ProcBuffer) throws(ReadFailure) -> Int {
        if descriptor >= 0 {
            if let count = try? readAll(into: buffer), count > 0 { return count }
            // The open file no longer answers: opening it again gives the reason.
            closeFile()
        }
        guard let tape else { return try readAnew(into: buffer) }
        return try tape.file(path, into: buffer, limit: limit) { () throws(ReadFailure) in
            defer { if descriptor >= 0 { closeFile() } }
            return try readAnew(into: buffer)
        }
    }

    private mutating func readAnew(into buffer: ProcBuffer) throws(ReadFailure) -> Int {
        try openFile()
        do throws(ReadFailure) {
            let count = try readAll(into: buffer)
            if count == 0 || !isMadeByKernel { closeFile() }
            return count
        } catch {
            closeFile()
            throw error
        }
    }

    private mutating func openFile() throws(ReadFailure) {
        repeat {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        } while descriptor < 0 && errno == EINTR
        guard descriptor < 0 else { return }
        throw ReadFailure(errno: errno)
    }

    private mutating func closeFile() {
        _ = close(descriptor)
        descriptor = -1
    }

    private func readAll(into buffer: ProcBuffer) throws(ReadFailure) -> Int {
        var count = 0
        while true {
            if count == buffer.bytes.count { buffer.grow(keeping: count) }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[count...])
            let read = pread(descriptor, room.baseAddress, room.count, off_t(count))
            if read == 0 { return count }
            guard read > 0 else {
                if errno == EINTR { continue }
                throw ReadFailure(errno: errno)
            }
            count += min(read, room.count)
            guard count <= limit else { throw .tooLarge }
        }
    }

    /// The kernel gives files of procfs no size, whatever their content (`proc_reg_inode_ops`, fs/proc/inode.c).
    private var isMadeByKernel: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_size == 0
    }
}

/// The memory that files are read into, one after another.
final class ProcBuffer {
    private(set) var bytes: UnsafeMutableRawBufferPointer

    /// Every table of a small host fits at once.
    init(capacity: Int = 16 << 10) {
        bytes = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }

    /// Doubles the memory and keeps the first `count` bytes.
    func grow(keeping count: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)]))
        bytes.deallocate()
        bytes = larger
    }

    /// Copies bytes into the memory and returns how many they are.
    func fill(_ other: UnsafeRawBufferPointer) -> Int {
        while bytes.count < other.count { grow(keeping: 0) }
        bytes.copyMemory(from: other)
        return other.count
    }

    /// The first `count` bytes.
    func prefix(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)])
    }
}

/// A file that is too long to be kept whole: it is read line by line through a buffer that stays small.
struct LineFile {
    let path: String
    /// Bytes that are read at most.
    let limit: Int
    var tape: SourceTape?

    /// Hands out every line without its end, and returns how many bytes there were; a last line without an end was cut, and
    /// is left out.
    ///
    /// A line that is longer than the buffer is left out, too.
    func forEachLine(_ buffer: ProcBuffer, _ body: (UnsafeRawBufferPointer) -> Void) throws(ReadFailure) -> Int {
        guard let tape else { return try forEachLineOutside(buffer, body) }
        // A recording holds it whole.
        let whole = ProcBuffer()
        let count = try tape.file(path, into: whole, limit: limit) { () throws(ReadFailure) in
            var lines: [UInt8] = []
            _ = try forEachLineOutside(buffer) { line in
                lines += tape.secret == nil ? Array(line) : SourceTape.withoutAddresses(line)
                lines.append(ByteScanner.newline)
            }
            return lines.withUnsafeBytes { whole.fill($0) }
        }
        var scanner = ByteScanner(whole.prefix(count))
        while let line = scanner.line() { body(line) }
        return count
    }

    private func forEachLineOutside(
        _ buffer: ProcBuffer, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ReadFailure) -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ReadFailure(errno: errno) }
        defer { _ = close(descriptor) }
        var kept = 0
        var total = 0
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[kept...])
            let count = read(descriptor, room.baseAddress, room.count)
            if count == 0 { return total }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw ReadFailure(errno: errno)
            }
            total &+= count
            guard total <= limit else { throw .tooLarge }
            kept = Self.takeLines(buffer, min(kept &+ count, buffer.bytes.count), body)
        }
    }

    /// Hands out the whole lines among the first `count` bytes, and moves what is left to the beginning.
    private static func takeLines(
        _ buffer: ProcBuffer,
        _ count: Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        let bytes = buffer.prefix(count)
        guard let end = bytes.lastIndex(of: ByteScanner.newline) else { return count < buffer.bytes.count ? count : 0 }
        var scanner = ByteScanner(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        while let line = scanner.line() { body(line) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<rest.count]).copyMemory(from: rest)
        return rest.count
    }
}
