internal import Glibc
internal import SondeGzip
internal import SondePluginKit

/// The compression of one file, in small steps.
final class GzipJob {
    /// The slot of the file; it moves up with rotations.
    var slot: Int
    /// Which file is compressed.
    let identity: FileIdentity
    /// Whether everything was compressed and written.
    private(set) var isComplete = false

    private let input: (path: String, descriptor: Int32, status: stat)
    private let output: (path: String, descriptor: Int32)
    private let deflater: Deflater
    private var offset: Int64 = 0
    private var block = [UInt8](repeating: 0, count: 64 << 10)

    init(slot: Int, from source: String, to target: String) throws(PluginError) {
        self.slot = slot
        guard let deflater = Deflater() else { throw .system("compress", source, ENOMEM) }
        self.deflater = deflater
        input = try Self.openInput(source)
        do throws(PluginError) {
            output = (target, try Self.openOutput(target, like: input.status))
        } catch {
            Glibc.close(input.descriptor)
            throw error
        }
        identity = FileIdentity(input.status)
    }

    deinit {
        Glibc.close(input.descriptor)
        Glibc.close(output.descriptor)
    }

    /// Compresses the next block and returns how many bytes it took.
    func step() throws(PluginError) -> Int {
        let (descriptor, position) = (input.descriptor, off_t(offset))
        let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, position) }
        guard count >= 0 else { throw .system("read", input.path, errno) }
        offset += Int64(count)
        var failure: PluginError?
        let isSound = deflater.deflate(block[..<count], isLast: count == 0) { bytes in
            failure = failure ?? write(bytes)
        }
        if let failure { throw failure }
        guard isSound else { throw .system("compress", input.path, EINVAL) }
        isComplete = count == 0
        return count
    }

    /// Gives the compressed file the original's time and brings it to the disk.
    func close(sync isSynced: Bool) throws(PluginError) {
        let times = [input.status.st_atim, input.status.st_mtim]
        futimens(output.descriptor, times)
        guard !isSynced || fsync(output.descriptor) == 0 else { throw .system("sync", output.path, errno) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> PluginError? {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(output.descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return .system("write to", output.path, count == 0 ? EIO : errno)
            }
        }
        return nil
    }

    private static func openInput(
        _ path: String
    ) throws(PluginError) -> (path: String, descriptor: Int32, status: stat) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system("open", path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .notRegular(path, status.st_mode)
        }
        return (path, descriptor, status)
    }

    private static func openOutput(_ path: String, like original: stat) throws(PluginError) -> Int32 {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("create", path, errno) }
        // Only root can change a file's owner; for others both files are their own anyway.
        _ = fchown(descriptor, original.st_uid, original.st_gid)
        fchmod(descriptor, original.st_mode & 0o777)
        return descriptor
    }
}

/// The end of a gzip file, which has the length of the original.
enum GzipTrailer {
    /// Whether a compressed file claims the length of the original, modulo 2^32 (RFC 1952, ISIZE).
    static func matches(compressed: String, original: String) -> Bool {
        var status = stat()
        guard lstat(original, &status) == 0 else { return false }
        return originalLength(of: compressed) == UInt32(truncatingIfNeeded: status.st_size)
    }

    private static func originalLength(of path: String) -> UInt32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 18 else {
            return nil
        }
        var length: UInt32 = 0
        guard pread(descriptor, &length, 4, status.st_size - 4) == 4 else { return nil }
        return UInt32(littleEndian: length)
    }
}
