/// The system calls of durable storage, so that tests can make them fail, tear and reorder.
///
/// Paths are absolute or relative to the process, as the implementation takes them. May be called from any thread.
public protocol FileSystem: Sendable {
    /// Makes one directory for only the agent's user; fails with ``FileSystemError/exists`` when there is one.
    func makeDirectory(_ path: String) throws(FileSystemError)
    /// Opens a regular file; fails on any other kind of file, links included, without blocking.
    func open(_ path: String, _ opening: FileOpening) throws(FileSystemError) -> any OpenFile
    /// Renames a file, replacing one that has the new name.
    func rename(_ path: String, to newPath: String) throws(FileSystemError)
    /// Removes a name; an open file stays readable.
    func unlink(_ path: String) throws(FileSystemError)
    /// The names in a directory in any order, without `.` and `..`.
    func names(inDirectory path: String) throws(FileSystemError) -> [String]
    /// Makes the names in a directory survive a power cut.
    func syncDirectory(_ path: String) throws(FileSystemError)
    /// The room on the file system that holds a path.
    func space(at path: String) throws(FileSystemError) -> FileSystemSpace
}

/// An open regular file; closed with its last reference, which releases its lock.
///
/// May be called from any thread.
public protocol OpenFile: AnyObject, Sendable {
    /// Reads at an offset; a short read at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int
    /// Writes at an offset and returns how much was written, which may be less than given.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int
    /// Cuts the file to a length, or extends it with zeros.
    func truncate(to size: Int64) throws(FileSystemError)
    /// Reserves room on disk from the beginning up to a length.
    func allocate(_ size: Int64) throws(FileSystemError)
    /// Makes the contents survive a power cut.
    ///
    /// After a failure the writes since the last success may be lost, even if a later call succeeds.
    func syncData() throws(FileSystemError)
    /// Locks the file for as long as it is open; fails with ``FileSystemError/wouldBlock`` when another has it.
    func lock() throws(FileSystemError)
    /// How long the file is.
    func size() throws(FileSystemError) -> Int64
    /// Whether the file still has a name.
    func isLinked() throws(FileSystemError) -> Bool
}

/// How a file is opened.
public enum FileOpening: Hashable, Sendable {
    /// For reading; it must be there.
    case read
    /// For reading and writing; it must be there.
    case update
    /// For reading and writing; it must not be there.
    case create
    /// For reading and writing, made when it is not there.
    case openOrCreate
}

/// The room on a file system, in bytes.
public struct FileSystemSpace: Hashable, Sendable {
    /// What is free for the agent's user.
    public var available: Int64
    /// The total.
    public var total: Int64

    /// Room.
    public init(available: Int64, total: Int64) {
        self.available = available
        self.total = total
    }
}

/// A call of the file system that failed.
public struct FileSystemError: Error, Hashable, Sendable {
    /// The errno value, as Linux numbers it (asm-generic/errno-base.h).
    public var code: Int32
    /// The call, `pwrite`.
    public var call: String

    /// A failure.
    public init(_ code: Int32, _ call: String) {
        self.code = code
        self.call = call
    }

    /// ENOENT: there is none of that name.
    public static let notFound: Int32 = 2
    /// EIO: the device failed.
    public static let inputOutput: Int32 = 5
    /// EBADF: the file is not open any more.
    public static let badDescriptor: Int32 = 9
    /// EAGAIN: another has the lock.
    public static let wouldBlock: Int32 = 11
    /// EEXIST: there is one of that name.
    public static let exists: Int32 = 17
    /// ENOSPC: the file system is full.
    public static let noSpace: Int32 = 28
    /// EROFS: the file system is read-only.
    public static let readOnly: Int32 = 30
    /// EOPNOTSUPP: it is not a regular file.
    public static let notSupported: Int32 = 95
    /// EDQUOT: the user's quota is used up.
    public static let quotaExceeded: Int32 = 122

    /// Whether there was no room, for any reason.
    public var isOutOfSpace: Bool {
        code == Self.noSpace || code == Self.quotaExceeded
    }
}
