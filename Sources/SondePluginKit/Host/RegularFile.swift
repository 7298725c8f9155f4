package import Glibc

/// A file with a secret, certificate or key, opened for reading; nothing but a regular file is.
package struct RegularFile: ~Copyable {
    /// Why a file cannot be used, in words that follow its path.
    package struct Fault: Error {
        /// `not a regular file`.
        package let text: String

        /// A fault.
        package init(text: String) { self.text = text }

        // strerror is safe from any thread since glibc 2.32.
        fileprivate static var ofSystem: Fault {
            let code = errno
            return Fault(text: strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
    }

    /// What fstat(2) said once it was open.
    package let status: stat
    private let descriptor: Int32

    /// Opens the file at `path`.
    package init(_ path: String) throws(Fault) {
        guard !path.utf8.contains(0) else { throw Fault(text: "has a NUL byte") }
        // A FIFO would wait for its writer without O_NONBLOCK.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .ofSystem }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Fault(text: "not a regular file")
        }
        (self.status, self.descriptor) = (status, descriptor)
    }

    deinit { close(descriptor) }

    /// All of its bytes; throws when there are more than `limit`.
    package func bytes(limit: Int) throws(Fault) -> [UInt8] {
        let descriptor = descriptor
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, used in
            count = pread(descriptor, buffer.baseAddress, limit + 1, 0)
            used = max(0, count)
        }
        guard count >= 0 else { throw .ofSystem }
        guard count <= limit else { throw Fault(text: "longer than \(limit >> 10) KiB") }
        return bytes
    }
}
