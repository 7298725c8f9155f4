/// Reads small files whole.
///
/// Implementations may be called from any thread and never block on what is not a regular file.
public protocol FileReader: Sendable {
    /// Reads a regular file of at most `limit` bytes; a larger one fails without being read to its end.
    func read(_ path: String, limit: Int) throws(FileReadFailure) -> FileContents
    /// The names of the entries of a directory in any order; nil when there is no such directory.
    func names(inDirectory path: String) throws(FileReadFailure) -> [String]?
}

/// What a file held when it was read.
public struct FileContents: Hashable, Sendable {
    /// Its bytes.
    public var bytes: [UInt8]
    /// Its permission bits, `0o640`.
    public var permissions: UInt32

    /// Its bytes as UTF-8, with what is none replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Contents.
    public init(bytes: [UInt8], permissions: UInt32 = 0o600) {
        self.bytes = bytes
        self.permissions = permissions
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
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .failed(let words): words
        }
    }
}
