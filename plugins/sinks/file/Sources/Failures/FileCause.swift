internal import Glibc
internal import SondeDomain

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
