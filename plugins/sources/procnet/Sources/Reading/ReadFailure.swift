internal import Glibc

/// Why a file could not be read.
enum ReadFailure: Error, Hashable {
    /// It is not there (ENOENT, ENOTDIR).
    case absent
    /// The agent may not read it (EACCES, EPERM).
    case forbidden
    /// It is larger than is read.
    case tooLarge
    /// It holds nothing that its table has.
    case unrecognized
    /// The system refused with this `errno`.
    case system(Int32)

    init(errno number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .absent
            case EACCES, EPERM: .forbidden
            default: .system(number)
            }
    }
}
