import Foundation
import Glibc

/// A directory of one test, gone with it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("\(NSTemporaryDirectory())sonde-file-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = template.withUnsafeBufferPointer { String(decoding: $0.dropLast().map(UInt8.init), as: UTF8.self) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Nil when there is no such file.
    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in it, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func move(_ name: String, to newName: String) throws {
        try FileManager.default.moveItem(atPath: file(name), toPath: file(newName))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: file(name))
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }
}
