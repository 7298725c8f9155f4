internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondeFormats

/// Keeps refused batches as files in a directory, one per batch, the newest within a bound in bytes.
///
/// A file's first line is an object that says which batch it is and why it was refused (`sonde.dead_letter/1`); the
/// JSON lines of the batch follow. Files are named by epoch and stretch, so their names sort by age within an epoch.
public final class DirectoryDeadLetterStore: DeadLetterStore {
    private let directory: String
    private let maxBytes: Int64
    private let log: any EventLog
    private var encoder = JSONLineEncoder()

    /// A store in `directory`, which is made when the first batch is kept.
    public init(directory: String, maxBytes: Int64, log: any EventLog) {
        self.directory = directory
        self.maxBytes = maxBytes
        self.log = log
    }

    /// Writes the batch beside its final name and renames it, after the oldest files have made room.
    public func keep(_ batch: Batch, because error: SondeError, at time: Timestamp) -> Bool {
        var buffer = ByteBuffer()
        appendHeading(batch, error, time, to: &buffer)
        _ = encoder.encode(batch, into: &buffer)
        guard Int64(buffer.count) <= maxBytes, makeDirectory() else { return false }
        makeRoom(for: Int64(buffer.count))
        let identity = batch.identity
        let name = "\(identity.epoch)-\(padded(identity.first))-\(padded(identity.last)).jsonl"
        guard TextFile.replace("\(directory)/\(name)", with: buffer.bytes) else {
            let reason = String(cString: strerror(errno))
            log.log(.warning, "a refused batch could not be kept: \(reason)", component: batch.sink)
            return false
        }
        return true
    }

    private func appendHeading(_ batch: Batch, _ error: SondeError, _ time: Timestamp, to buffer: inout ByteBuffer) {
        buffer.append(#"{"schema":"sonde.dead_letter/1","time":""#)
        buffer.append(time: time)
        buffer.append(#"","batch":"#)
        buffer.append(jsonString: batch.identity.text)
        for (key, value) in [
            ("sink", batch.sink), ("code", error.code.text), ("class", error.failureClass.name),
            ("message", error.message),
        ] {
            buffer.append(",\"\(key)\":")
            buffer.append(jsonString: value)
        }
        buffer.append("}\n")
    }

    private func makeDirectory() -> Bool {
        guard let parent = directory.lastIndex(of: "/").map({ String(directory[..<$0]) }) else { return false }
        for path in [parent, directory] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    private func makeRoom(for size: Int64) {
        var files = self.files
        var total = files.reduce(0) { $0 + $1.size }
        while total + size > maxBytes, !files.isEmpty {
            let oldest = files.removeFirst()
            total -= oldest.size
            unlink("\(directory)/\(oldest.name)")
        }
    }

    /// The files kept, the oldest first.
    private var files: [(name: String, size: Int64, modified: Int64)] {
        let all = (try? PosixFileReader().names(inDirectory: directory)) ?? []
        let names = all.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".new") }
        return names.compactMap { name -> (name: String, size: Int64, modified: Int64)? in
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0 else { return nil }
            let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
            return (name, Int64(status.st_size), modified)
        }
        .sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
    }

    // Twenty digits hold every sequence number, so that names sort as numbers do.
    private func padded(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 20 - digits.count) + digits
    }
}
