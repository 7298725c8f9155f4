internal import Glibc
internal import SondeEngine

/// An open descriptor.
final class PosixFile: OpenFile {
    private let descriptor: Int32

    /// Takes over a descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// For a signal handler, which may write to it as long as the file is open.
    var descriptorForCrashes: Int32 { descriptor }

    deinit {
        // A child that is being started holds the descriptor, and with it the lock, until its exec: an explicit unlock ends
        // the lock for both.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileSystemError(errno, "pread") }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        while true {
            let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileSystemError(errno, "pwrite") }
        }
    }

    func truncate(to size: Int64) throws(FileSystemError) {
        while ftruncate(descriptor, off_t(size)) != 0 {
            guard errno == EINTR else { throw FileSystemError(errno, "ftruncate") }
        }
    }

    func allocate(_ size: Int64) throws(FileSystemError) {
        while true {
            // posix_fallocate(3) returns the error and does not set errno.
            let code = posix_fallocate(descriptor, 0, off_t(size))
            if code == 0 { return }
            guard code == EINTR else { throw FileSystemError(code, "posix_fallocate") }
        }
    }

    func syncData() throws(FileSystemError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw FileSystemError(errno, "fdatasync") }
        }
    }

    func lock() throws(FileSystemError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { throw FileSystemError(errno, "flock") }
        }
    }

    func size() throws(FileSystemError) -> Int64 {
        Int64(try status().st_size)
    }

    func isLinked() throws(FileSystemError) -> Bool {
        try status().st_nlink > 0
    }

    /// Whether it is a regular file, not a pipe or device.
    func isRegular() throws(FileSystemError) -> Bool {
        try status().st_mode & S_IFMT == S_IFREG
    }

    private func status() throws(FileSystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystemError(errno, "fstat") }
        return status
    }
}
