internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Why a file could not be used, as far as it changes what is to be done.
enum FileCause: CaseIterable {
    case missingDirectory
    case permission
    case badPath
    case diskFull
    case quota
    case fileTooLarge
    case outOfResources
    case readOnly
    case inputOutput
    case other

    init(_ number: Int32) {
        switch number {
        case ENOENT, ENOTDIR: self = .missingDirectory
        case EACCES, EPERM: self = .permission
        case ELOOP, ENAMETOOLONG, EISDIR, ENXIO, EINVAL: self = .badPath
        case ENOSPC: self = .diskFull
        case EDQUOT: self = .quota
        case EFBIG: self = .fileTooLarge
        case EMFILE, ENFILE, ENOMEM: self = .outOfResources
        case EROFS: self = .readOnly
        case EIO: self = .inputOutput
        default: self = .other
        }
    }

    /// The stable code, listed in the descriptor.
    var code: String {
        switch self {
        case .missingDirectory: "SND-FIL002"
        case .permission: "SND-FIL003"
        case .badPath: "SND-FIL005"
        case .diskFull: "SND-FIL010"
        case .quota: "SND-FIL011"
        case .fileTooLarge: "SND-FIL012"
        case .outOfResources: "SND-FIL013"
        case .readOnly: "SND-FIL020"
        case .inputOutput: "SND-FIL021"
        case .other: "SND-FIL040"
        }
    }

    var failureClass: FailureClass {
        switch self {
        case .missingDirectory, .permission, .badPath: .configuration
        case .diskFull, .quota, .fileTooLarge, .outOfResources: .resource
        case .readOnly, .inputOutput: .unsafeStorage
        case .other: .transient
        }
    }

    /// What a person can do, in one sentence.
    var hint: String {
        switch self {
        case .missingDirectory: "Create the directory; the agent does not, so that an unmounted disk is noticed."
        case .permission: "Let the agent's user read and write the file and its directory."
        case .badPath: "Check the path and its symbolic links."
        case .diskFull: "Free space or lower rotate.size and rotate.keep; the samples wait in the spool."
        case .quota: "Raise the quota or lower rotate.size and rotate.keep; the samples wait in the spool."
        case .fileTooLarge: "Set rotate.size below the file size limit (LimitFSIZE=, ulimit -f)."
        case .outOfResources: "Raise the agent's limit of open files or memory."
        case .readOnly: "Remount the file system writable; look for disk errors in the kernel log."
        case .inputOutput: "Look for disk errors in the kernel log."
        case .other: "It is tried again; look for its cause in the kernel log if it stays."
        }
    }
}

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
            hint: "Give every file sink its own path, also across agents.",
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
