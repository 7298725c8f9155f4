import Foundation
import Glibc

/// A folder of logs of one test, gone with it.
final class LogFolder: Sendable {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) throws {
        var template = Array("\(parent)/sonde-tail-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure }
        path = template.withUnsafeBufferPointer { String(decoding: $0.dropLast().map(UInt8.init), as: UTF8.self) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Appends, and makes the file if there is none.
    func append(_ text: String, to name: String = "q.log") throws {
        try append(Array(text.utf8), to: name)
    }

    func append(_ bytes: [UInt8], to name: String = "q.log") throws {
        let descriptor = open(file(name), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { room in
            guard Glibc.write(descriptor, room.baseAddress, room.count) == room.count else { throw Self.failure }
        }
    }

    /// Rewrites a file.
    func write(_ text: String, to name: String) throws {
        try? remove(name)
        try append(text, to: name)
    }

    func move(_ name: String, to other: String) throws {
        guard rename(file(name), file(other)) == 0 else { throw Self.failure }
    }

    func remove(_ name: String = "q.log") throws {
        guard unlink(file(name)) == 0 else { throw Self.failure }
    }

    func truncate(_ name: String = "q.log", to size: Int = 0) throws {
        guard Glibc.truncate(file(name), off_t(size)) == 0 else { throw Self.failure }
    }

    /// Copies to a new file, as logrotate's `copytruncate` does before it cuts.
    func copy(_ name: String, to other: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: file(name)))
        try data.write(to: URL(fileURLWithPath: file(other)))
    }

    func link(_ name: String, to target: String) throws {
        unlink(file(name))
        guard symlink(target, file(name)) == 0 else { throw Self.failure }
    }

    /// Has the file written to `second` seconds from now: what is older and younger does not hang on speed then.
    func setModified(_ name: String, _ second: Int) throws {
        let time = timeval(tv_sec: Glibc.time(nil) + second, tv_usec: 0)
        guard utimes(file(name), [time, time]) == 0 else { throw Self.failure }
    }

    func inode(_ name: String) -> UInt64? {
        var status = stat()
        return stat(file(name), &status) == 0 ? UInt64(status.st_ino) : nil
    }

    static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
