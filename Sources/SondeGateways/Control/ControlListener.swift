internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// A listening Unix socket of mode 0600, or 0660 for a group, whose file is removed when it is closed.
///
/// The socket of an agent that has died is replaced; one that answers is not.
final class ControlListener {
    // O_PATH, open(2): glibc defines it only for GNU sources.
    private static let pathOnly: Int32 = 0o10_000_000
    private static let backlog: Int32 = 16
    private static let lockAttempts = 50
    private static let lockPause: UInt32 = 10_000

    let socket: OwnedDescriptor
    private let path: String
    private let madeDirectory: Bool
    private var identity: FileIdentity?

    init(path: String) throws(SondeError) {
        guard let address = UnixAddress(path: path) else { throw Self.badPath(path) }
        self.path = path
        socket = try UnixAddress.makeSocket()
        let directory = Self.directory(of: path)
        madeDirectory = mkdir(directory, 0o700) == 0
        guard madeDirectory || errno == EEXIST else {
            throw Self.unavailable("the directory '\(directory)' cannot be made", errno)
        }
        // Two agents that start at once would each treat the other's new socket as a dead one.
        let lock = try Self.lock(directory)
        try bind(to: address)
        guard listen(socket.raw, Self.backlog) == 0 else {
            throw Self.unavailable("'\(path)' cannot be listened at", errno)
        }
        identity = FileIdentity(at: path)
        withExtendedLifetime(lock) {}
    }

    /// Lets members of a group connect.
    ///
    /// The directory is made accessible to them only where it was made for the socket.
    func admit(_ group: UInt32, named name: String) throws(SondeError) {
        let directory = Self.directory(of: path)
        if madeDirectory { try Self.admit(group, name, to: directory, S_IFDIR, mode: 0o750) }
        try Self.admit(group, name, to: path, S_IFSOCK, mode: 0o660)
    }

    private static func admit(
        _ group: UInt32,
        _ name: String,
        to path: String,
        _ type: mode_t,
        mode: mode_t
    ) throws(SondeError) {
        // The file itself, even if the path is replaced before the next call.
        let file = try OwnedDescriptor(open(path, pathOnly | O_NOFOLLOW | O_CLOEXEC), of: "open")
        let own = "/proc/self/fd/\(file.raw)"
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == type, status.st_uid == geteuid(),
            status.st_gid == group || chown(own, uid_t.max, group) == 0, chmod(own, mode) == 0
        else {
            throw SondeError(
                control: .controlGroupUnusable,
                "'\(path)' cannot be opened to the group '\(name)': \(String(cString: strerror(errno)))")
        }
    }

    /// Removes the socket's file, unless another agent has replaced it.
    func removeFile() {
        guard let identity, FileIdentity(at: path) == identity else { return }
        unlink(path)
        self.identity = nil
    }

    private func bind(to address: UnixAddress) throws(SondeError) {
        // bind(2) gives the file the mode of the socket: others can never connect in between.
        guard fchmod(socket.raw, 0o600) == 0 else { throw Self.unavailable("'\(path)' cannot be protected", errno) }
        if address.withPointer({ Glibc.bind(socket.raw, $0, $1) }) == 0 { return }
        guard errno == EADDRINUSE else { throw Self.unavailable("'\(path)' cannot be made", errno) }
        try removeDeadSocket(address)
        guard address.withPointer({ Glibc.bind(socket.raw, $0, $1) }) == 0 else {
            throw Self.unavailable("'\(path)' cannot be made", errno)
        }
    }

    private func removeDeadSocket(_ address: UnixAddress) throws(SondeError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw SondeError(control: .controlSocketUnavailable, "'\(path)' exists and is not a socket")
        }
        let probe = try UnixAddress.makeSocket()
        let result = address.withPointer { connect(probe.raw, $0, $1) }
        guard result != 0, errno == ECONNREFUSED else {
            throw SondeError(control: .controlSocketInUse, "another agent answers at '\(path)'")
        }
        guard unlink(path) == 0 else { throw Self.unavailable("the dead socket '\(path)' cannot be removed", errno) }
    }

    private static func lock(_ directory: String) throws(SondeError) -> OwnedDescriptor {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unavailable("the directory '\(directory)' cannot be opened", errno) }
        let held = try OwnedDescriptor(descriptor, of: "open")
        for _ in 0..<lockAttempts {
            if flock(held.raw, LOCK_EX | LOCK_NB) == 0 { return held }
            usleep(lockPause)
        }
        throw unavailable("the directory '\(directory)' is locked", EWOULDBLOCK)
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func badPath(_ path: String) -> SondeError {
        guard path.utf8.count > 107 else {
            return SondeError(control: .controlSocketUnavailable, "'\(path)' cannot be the path of a socket")
        }
        return SondeError(
            control: .controlPathTooLong, "the socket's path '\(path)' has \(path.utf8.count) bytes; 107 are allowed")
    }

    private static func unavailable(_ what: String, _ code: Int32) -> SondeError {
        SondeError(control: .controlSocketUnavailable, "\(what): \(String(cString: strerror(code)))")
    }
}
