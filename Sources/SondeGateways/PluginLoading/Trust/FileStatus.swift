internal import Glibc

/// Who owns a file or directory, and who may write to it.
struct FileStatus: Hashable {
    /// The kind of file, as far as loading needs it.
    enum Kind: Hashable {
        case regular
        case directory
        case other
    }

    var owner: UInt32
    var group: UInt32
    var permissions: UInt32
    var kind: Kind
    /// Whether there is an access control list besides the permission bits.
    var hasAccessList = false

    var isSticky: Bool { permissions & 0o1000 != 0 }
    var groupMayWrite: Bool { permissions & 0o020 != 0 }
    var othersMayWrite: Bool { permissions & 0o002 != 0 }
}

extension FileStatus {
    init(_ status: stat, hasAccessList: Bool) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            default: .other
            }
        self.init(
            owner: status.st_uid,
            group: status.st_gid,
            permissions: status.st_mode & 0o7777,
            kind: kind,
            hasAccessList: hasAccessList
        )
    }
}
