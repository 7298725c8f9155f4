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
}
