internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// When the kernel's counters were zero.
enum BootTime {
    /// `btime` of `/proc/stat` (`show_stat`, fs/proc/stat.c), or nil when it cannot be read.
    static func read(proc: String, into buffer: ProcBuffer, limit: Int, tape: SourceTape? = nil) -> Timestamp? {
        var file = ProcFile(path: "\(proc)/stat", limit: limit, tape: tape)
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

/// When a boot began, as it was first read during that boot.
///
/// The kernel computes `btime` from its clock: one that is set later would move the start of every counter at the next start of
/// the agent, which receivers take for a reset of all of them.
struct BootRecord: Hashable {
    // A clock that has not been set since the machine got power says 1970, or when its firmware was built.
    private static let earliest = Timestamp(seconds: 1_735_689_600)

    // To the agent an earlier clock is wrong (Version.date): it corrects what it holds, and cannot correct a record.
    private static let earliestClock = Timestamp(seconds: 1_767_225_600)

    /// The boot's identity.
    let boot: String
    /// When it began.
    let time: Timestamp

    /// The record to use: that of an earlier process of this boot, or what is read now, while the clock shows `wall`.
    ///
    /// Nil: not known.
    init?(boot: String?, now: Timestamp?, at wall: Timestamp, checkpoint: [UInt8]?) {
        guard let boot else { return nil }
        if let known = checkpoint.flatMap(BootRecord.init), known.boot == boot {
            self = known
            return
        }
        guard let now, now >= Self.earliest, wall >= Self.earliestClock else { return nil }
        (self.boot, time) = (boot, now)
    }

    /// Reads ``checkpoint``; nil: it is none.
    init?(_ checkpoint: [UInt8]) {
        let words = checkpoint.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, words[0].elementsEqual("boot".utf8), words[1].count <= 36,
            let seconds = Int64(String(decoding: words[2], as: UTF8.self)),
            seconds >= Self.earliest.nanoseconds / 1_000_000_000
        else { return nil }
        boot = String(decoding: words[1], as: UTF8.self)
        time = Timestamp(seconds: seconds)
    }

    /// What the next process of this boot reads: `boot IDENTITY SECONDS`.
    var checkpoint: [UInt8] { Array("boot \(boot) \(time.nanoseconds / 1_000_000_000)".utf8) }
}

/// Distinguishes one boot of the kernel from another (`/proc/sys/kernel/random/boot_id`, random(4)).
final class BootIdentity {
    private var file: ProcFile
    private let buffer = ProcBuffer(capacity: 64)

    init(proc: String, tape: SourceTape? = nil) {
        file = ProcFile(path: "\(proc)/sys/kernel/random/boot_id", limit: 64, tape: tape)
    }

    /// The text of the file, or nil when it cannot be read.
    func read() -> String? {
        guard let count = try? file.read(into: buffer), count > 0 else { return nil }
        return KernelText.name(buffer.prefix(min(count, 36)))
    }
}
