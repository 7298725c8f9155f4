/// Reads small files whole.
///
/// Implementations may be called from any thread and never block on what is not a regular file.
public protocol FileReader: Sendable {
    /// Reads a regular file of at most `limit` bytes; a larger one fails without being read to its end.
    func read(_ path: String, limit: Int) throws(FileReadFailure) -> FileContents
    /// The entries of a directory, of which there may be at most `limit`; nil when there is nothing of that name.
    func directory(_ path: String, limit: Int) throws(FileReadFailure) -> DirectoryContents?
}

/// What a directory held when it was read.
public struct DirectoryContents: Hashable, Sendable {
    /// The names of its entries in any order.
    public var names: [String]
    /// Names that are not UTF-8, with what is none replaced: no such file can be named in a message.
    public var malformedNames: [String]
    /// The user that it belongs to.
    public var owner: UInt32
    /// Whether every user may add entries to it: its mode says so, and it is not mounted read-only.
    public var isWritableByAnyone: Bool

    /// Contents.
    public init(
        names: [String], malformedNames: [String] = [], owner: UInt32 = 0, isWritableByAnyone: Bool = false
    ) {
        self.names = names
        self.malformedNames = malformedNames
        self.owner = owner
        self.isWritableByAnyone = isWritableByAnyone
    }
}

/// What a file held when it was read.
public struct FileContents: Hashable, Sendable {
    /// Its bytes.
    public var bytes: [UInt8]
    /// Its permission bits, `0o640`.
    public var permissions: UInt32
    /// The user that it belongs to.
    public var owner: UInt32
    /// Whether every user may change it: its mode says so, and it is not mounted read-only.
    public var isWritableByAnyone: Bool

    /// Its bytes as UTF-8, with what is none replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Contents.
    public init(
        bytes: [UInt8], permissions: UInt32 = 0o600, owner: UInt32 = 0, isWritableByAnyone: Bool = false
    ) {
        self.bytes = bytes
        self.permissions = permissions
        self.owner = owner
        self.isWritableByAnyone = isWritableByAnyone
    }
}

/// Why a file could not be read.
public enum FileReadFailure: Error, Hashable, Sendable {
    /// There is no file of that name.
    case notFound
    /// The agent's user may not read it.
    case permissionDenied
    /// A directory, a pipe or a device.
    case notRegular
    /// Something else than a directory where one is wanted.
    case notDirectory
    /// A directory with more entries than the limit, which was this.
    case tooManyEntries(limit: Int)
    /// Larger than the limit, which was this many bytes.
    case tooLarge(limit: Int)
    /// Another reason, in the system's words.
    case failed(String)

    /// The reason as the end of a sentence: `the file does not exist`.
    public var reason: String {
        switch self {
        case .notFound: "it does not exist"
        case .permissionDenied: "permission denied"
        case .notRegular: "it is not a regular file"
        case .notDirectory: "it is not a directory"
        case .tooManyEntries(let limit): "it has more than \(limit) entries"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .failed(let words): words
        }
    }
}
