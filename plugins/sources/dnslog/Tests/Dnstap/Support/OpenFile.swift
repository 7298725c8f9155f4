import Glibc

/// A file open for reading as long as it lives.
final class OpenFile {
    let descriptor: Int32

    init(_ path: String, skipping count: Int = 0) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFolder.failure }
        lseek(descriptor, off_t(count), SEEK_SET)
    }

    deinit {
        close(descriptor)
    }
}
