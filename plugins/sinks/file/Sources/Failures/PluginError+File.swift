internal import Glibc
internal import SondeDomain
internal import SondePluginKit

extension PluginError {
    /// An option that cannot be used.
    static func option(_ key: String, _ message: String, hint: String) -> PluginError {
        PluginError("SND-FIL001", .configuration, message, hint: hint, optionPath: key)
    }

    /// A system call on a file that failed, with the class that fits the cause.
    static func system(_ action: String, _ path: String, _ number: Int32) -> PluginError {
        let cause = FileCause(number)
        return PluginError(
            cause.code,
            cause.failureClass,
            "cannot \(action) '\(path)': \(String(cString: strerror(number)))",
            hint: cause == .permission ? permissionHint(path) : cause.hint,
            optionPath: cause.failureClass == .configuration ? "path" : ""
        )
    }

    /// Something at the path that is no file.
    static func notRegular(_ path: String, _ mode: mode_t) -> PluginError {
        PluginError(
            "SND-FIL004",
            .configuration,
            "'\(path)' is \(kind(mode)), not a regular file",
            hint: "Name a regular file; for a stream use the plugin 'stdout'.",
            optionPath: "path"
        )
    }

    /// A file that another sink writes.
    static func locked(_ path: String) -> PluginError {
        PluginError(
            "SND-FIL006",
            .configuration,
            "'\(path)' is already written by another sink",
            hint: "Give every file sink a path of its own, also across agents.",
            optionPath: "path"
        )
    }

    /// A path under which the file changes faster than it can be opened.
    static func restless(_ path: String) -> PluginError {
        PluginError("SND-FIL040", .transient, "'\(path)' was replaced while it was opened, several times in a row")
    }

    private static func permissionHint(_ path: String) -> String {
        var status = stat()
        let directory = FilePath.split(path).directory
        let subject = lstat(path, &status) == 0 ? path : directory
        guard lstat(subject, &status) == 0 else {
            return "Let the user with id \(geteuid()) search the directories of the path."
        }
        let mode = "0" + String(status.st_mode & 0o7777, radix: 8)
        return "The agent runs as user id \(geteuid()), '\(subject)' has mode \(mode) and belongs to "
            + "\(status.st_uid):\(status.st_gid): change one of them."
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR: "a character device"
        case S_IFBLK: "a block device"
        case S_IFLNK: "a symbolic link"
        default: "something else"
        }
    }
}
