internal import Glibc

/// One file below `/proc`, read from its beginning again and again.
///
/// A file of procfs stays open: the kernel starts over when it is read at offset 0 (`seq_read_iter`, fs/seq_file.c) and
/// keeps the buffer that it has grown, which halves the cost of a reading. Any other file, in a copied tree for
/// instance, is opened every time, because it may be replaced.
struct ProcFile: ~Copyable {
    private let path: String
    private let limit: Int
    private var descriptor: Int32 = -1

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
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
