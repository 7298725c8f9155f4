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
        try check(path)
        for folder in folders { try check("\(path)/\(folder)") }
    }

    static func unavailable(_ path: String, _ what: String, _ code: Int32) -> SondeError {
        failure(.stateUnavailable, "the state directory '\(path)' \(what): \(String(cString: strerror(code)))")
    }

    private static func check(_ path: String) throws(SondeError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno != ENOENT else { return }
            throw unavailable(path, "cannot be looked at", errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw unavailable(path, "cannot be used", ENOTDIR) }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw failure(.stateUnsafe, "'\(path)' belongs to user \(status.st_uid), the agent runs as \(geteuid())")
        }
        // A group of the user's own has no other members.
        let isSharedGroup = status.st_gid != 0 && status.st_gid != getegid()
        guard status.st_mode & S_IWOTH == 0, status.st_mode & S_IWGRP == 0 || !isSharedGroup else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw failure(.stateUnsafe, "others than user \(geteuid()) may write to '\(path)', its mode is \(mode)")
        }
    }

    private static func failure(_ code: ErrorCode, _ message: String) -> SondeError {
        SondeError(defined: code, stage: .start, message)
    }
}
