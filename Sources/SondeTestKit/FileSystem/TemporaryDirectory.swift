internal import Glibc

/// A directory that goes with the value that holds it.
public final class TemporaryDirectory: Sendable {
    /// A system call has failed on a path.
    public struct Failure: Error {
        /// The path.
        public let path: String
        /// The system's errno.
        public let number: Int32
    }

    /// Its path.
    public let path: String

    /// A new directory of a name that nothing else has.
    public init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/sonde-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(path: parent, number: errno) }
        path = template.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { Self.removeTree(path) }

    /// The path of a name in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    public func write(_ name: String, _ text: String) throws -> String {
        let path = file(name)
        guard let stream = fopen(path, "we") else { throw Failure(path: path, number: errno) }
        let bytes = Array(text.utf8)
        let written = fwrite(bytes, 1, bytes.count, stream)
        guard fclose(stream) == 0, written == bytes.count else { throw Failure(path: path, number: errno) }
        return path
    }

    /// What a file holds.
    public func read(_ name: String) throws -> String {
        let path = file(name)
        guard let stream = fopen(path, "re") else { throw Failure(path: path, number: errno) }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&block, 1, block.count, stream), count > 0 { bytes += block.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes a file.
    public func remove(_ name: String) throws {
        guard unlink(file(name)) == 0 else { throw Failure(path: file(name), number: errno) }
    }

    // A link is removed, and not what it leads to.
    private static func removeTree(_ path: String) {
        guard unlink(path) != 0, let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            // Only as much as there is: a record ends with its name.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { removeTree("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}
