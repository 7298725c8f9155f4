internal import Glibc
internal import SondePluginKit

extension AppendFile {
    /// How often a file may be replaced under the opening before that is an error.
    private static let attemptBound = 8

    /// Opens the file, makes it if it is missing, and locks it.
    ///
    /// Never blocks, whatever lies at the path.
    static func open(_ settings: FileSettings) throws(PluginError) -> AppendFile {
        for _ in 0..<attemptBound {
            let path = try FilePath.resolved(settings.path)
            if let file = try openOnce(path, settings) { return file }
        }
        throw .restless(settings.path)
    }

    /// Nil when the file was made, replaced or removed by somebody else meanwhile.
    private static func openOnce(_ path: String, _ settings: FileSettings) throws(PluginError) -> AppendFile? {
        guard let (descriptor, isNew) = try descriptor(path, settings.mode) else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw .system("look at", path, number)
        }
        let file = AppendFile(path: path, descriptor: descriptor, status: status, isNew: isNew)
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path, status.st_mode) }
        try file.lock()
        // Whoever locked a file that has lost its name since holds a lock on nothing.
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

    /// Lets the file be locked anew, should it come back under its name.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// The lock lies on the file itself: it survives renames, dies with the process, and leaves no other file behind.
    private func lock() throws(PluginError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        // Any other error: a file system without locks. Writing goes on without.
        if errno == EWOULDBLOCK { throw .locked(path) }
    }
}
