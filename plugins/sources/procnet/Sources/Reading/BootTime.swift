internal import Glibc
internal import SondeDomain

/// When the kernel's counters were zero.
enum BootTime {
    /// `btime` of `/proc/stat` (`show_stat`, fs/proc/stat.c), or nil when it cannot be read.
    static func read(proc: String, into buffer: ProcBuffer, limit: Int) -> Timestamp? {
        var file = ProcFile(path: "\(proc)/stat", limit: limit)
        guard let count = try? file.read(into: buffer) else { return nil }
        return parse(buffer.prefix(count))
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
        var scanner = ByteScanner(bytes)
        while let line = scanner.line() {
            var words = ByteScanner(line)
            guard let word = words.word(), word.elementsEqual("btime".utf8) else { continue }
            words.skipBlanks()
            guard
                let number = words.number(),
                number.form == .unsigned,
                words.skipLineEnd(),
                let seconds = Int64(exactly: number.magnitude),
                seconds > 0
            else { return nil }
            return Timestamp(seconds: seconds)
        }
        return nil
    }
}

/// Distinguishes one boot of the kernel from another (`/proc/sys/kernel/random/boot_id`, random(4)).
final class BootIdentity {
    private var file: ProcFile
    private let buffer = ProcBuffer(capacity: 64)

    init(proc: String) {
        file = ProcFile(path: "\(proc)/sys/kernel/random/boot_id", limit: 64)
    }

    /// The text of the file, or nil when it cannot be read.
    func read() -> String? {
        guard let count = try? file.read(into: buffer), count > 0 else { return nil }
        return KernelText.name(buffer.prefix(min(count, 36)))
    }
}
