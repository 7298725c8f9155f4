internal import CLinux
internal import Glibc
internal import SondeDomain

/// A plugin's file, opened: what is checked is this file and not one that replaces it later.
///
/// The dynamic linker opens the real path once more after the checks. In between only root or the agent's own user can
/// put another file there: the trust rule ensures that for the file and every directory above it. Linking through
/// /proc/self/fd would name the very file, but the linker recognizes objects by name and would return another object
/// when the number is used again.
struct PluginFile: ~Copyable {
    /// Without symbolic links.
    let realPath: String
    let bytes: FileBytes
    /// Distinguishes it from another file that replaces it.
    let identity: ObjectIdentity
    private let descriptor: Int32
    private let status: FileStatus

    /// Opens the file behind `path`; symbolic links are followed first.
    init(opening path: String) throws(SondeError) {
        guard let resolved = realpath(path, nil) else {
            throw .pluginUnreadable(path, "cannot be resolved: \(ErrnoText.current)")
        }
        defer { free(resolved) }
        let realPath = String(cString: resolved)
        // O_NONBLOCK: a FIFO would keep the agent waiting for a writer.
        let descriptor = open(realPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .pluginUnreadable(realPath, "cannot be opened: \(ErrnoText.current)") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .pluginUnreadable(realPath, "is no regular file")
        }
        let list = fgetxattr(descriptor, "system.posix_acl_access", nil, 0) > 0
        self.realPath = realPath
        self.descriptor = descriptor
        identity = ObjectIdentity(status)
        self.status = FileStatus(status, hasAccessList: list)
        bytes = FileBytes(descriptor: descriptor, byteCount: UInt64(clamping: status.st_size))
    }

    deinit {
        close(descriptor)
    }

    /// Refuses a file that another user could have written, or a path where another user could have put it.
    func checkTrust(_ rule: TrustRule) throws(SondeError) {
        if let objection = rule.objection(toFile: status) {
            throw .pluginFileUntrusted(realPath, objection)
        }
        for directory in Self.parents(of: realPath) {
            var status = stat()
            guard stat(directory, &status) == 0 else {
                throw .pluginDirectoryUntrusted(realPath, directory, "it cannot be examined: \(ErrnoText.current)")
            }
            let list = getxattr(directory, "system.posix_acl_access", nil, 0) > 0
            if let objection = rule.objection(toDirectory: FileStatus(status, hasAccessList: list)) {
                throw .pluginDirectoryUntrusted(realPath, directory, objection)
            }
        }
    }

    /// Every directory above an absolute path, the root last.
    static func parents(of path: String) -> [String] {
        var parents: [String] = []
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            parents.append(rest.isEmpty ? "/" : String(rest))
        }
        return parents
    }
}
