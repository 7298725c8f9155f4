internal import Glibc
public import SondeDomain
internal import SondeEngine

/// The directory with everything that the agent keeps.
public enum StateDirectory {
    /// Its contents that must be as safe as the directory itself.
    private static let folders = ["spool", "dead-letter"]

    /// Makes the directory, mode 0700, unless it is there, and requires that only the agent's user and root can change it.
    ///
    /// Another user who could would make the agent write through a link of theirs, or hand it samples as its own. Throws
    /// ``SondeDomain/ErrorCode/stateUnavailable`` and ``SondeDomain/ErrorCode/stateUnsafe``.
    public static func require(_ path: String) throws(SondeError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw unavailable(path, "cannot be made", errno) }
        for part in parts(of: path) {
            guard let status = try status(of: part) else { continue }
            try checkUser(part, status)
            try checkOthers(part, status)
        }
    }

    /// Requires of what this user can look at that not everybody can change it, which an agent of any user refuses.
    ///
    /// Throws ``SondeDomain/ErrorCode/stateUnsafe``.
    static func requireNotOpenToAll(_ path: String) throws(SondeError) {
        for part in parts(of: path) {
            guard let status = try? status(of: part) else { continue }
            try checkOthers(part, status)
        }
    }

    private static func parts(of path: String) -> [String] { [path] + folders.map { "\(path)/\($0)" } }

    static func unavailable(_ path: String, _ what: String, _ code: Int32) -> SondeError {
        failure(.stateUnavailable, "the state directory '\(path)' \(what): \(String(cString: strerror(code)))")
    }

    /// Of a directory; nil: it is not there.
    private static func status(of path: String) throws(SondeError) -> stat? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno != ENOENT else { return nil }
            throw unavailable(path, "cannot be looked at", errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw unavailable(path, "cannot be used", ENOTDIR) }
        return status
    }

    private static func checkUser(_ path: String, _ status: stat) throws(SondeError) {
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw failure(.stateUnsafe, "'\(path)' belongs to user \(status.st_uid), the agent runs as \(geteuid())")
        }
        // A group of the user's own has no other members.
        let isSharedGroup = status.st_gid != 0 && status.st_gid != getegid()
        guard status.st_mode & S_IWGRP == 0 || !isSharedGroup else { throw openToOthers(path, status) }
    }

    private static func checkOthers(_ path: String, _ status: stat) throws(SondeError) {
        guard status.st_mode & S_IWOTH == 0 else { throw openToOthers(path, status) }
    }

    private static func openToOthers(_ path: String, _ status: stat) -> SondeError {
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return failure(.stateUnsafe, "others than user \(status.st_uid) may write to '\(path)', its mode is \(mode)")
    }

    private static func failure(_ code: ErrorCode, _ message: String) -> SondeError {
        SondeError(defined: code, stage: .start, message)
    }
}
