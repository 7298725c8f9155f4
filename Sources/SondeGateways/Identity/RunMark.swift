internal import CLinux
internal import Glibc
public import SondeDomain
internal import SondeEngine
internal import Synchronization

/// A file in the state directory that says whether an agent runs, so that the next one knows how it ended.
///
/// `running 00 <boot id>`: the digits are the signal that ended the process, written by the process itself as it crashes; nothing
/// writes them when it is killed. May be used from any thread.
public final class RunMark: Sendable {
    /// How an agent ended that did not stop as planned.
    public enum End: Hashable, Sendable {
        /// By a signal that it cannot handle, of a person or of the kernel.
        case killed
        /// By SIGABRT, as the service manager ends an agent that does not say that it is alive.
        case aborted
        /// By a signal of its own doing.
        case crashed
        /// With the machine, without a stop.
        case withHost

        /// What the time until the next agent is lost for.
        public var lossReason: LossReason {
            switch self {
            case .killed: .agentKilled
            case .aborted: .agentAborted
            case .crashed: .agentCrashed
            case .withHost: .hostStopped
            }
        }

        /// What it was, in words.
        public var sentence: String {
            switch self {
            case .killed: "the agent before this one was killed"
            case .aborted: "the agent before this one was ended by SIGABRT, as a watchdog does"
            case .crashed: "the agent before this one crashed"
            case .withHost: "the machine went down while the agent ran"
            }
        }
    }

    static let fileName = "run"
    private static let limit = 256
    private static let signalOffset: Int32 = 8
    private static let bootPath = "/proc/sys/kernel/random/boot_id"

    private let file: any OpenFile
    private let boot: String
    /// How the agent before ended; nil: as planned, or there was none.
    public let before: End?

    /// Reads the mark of the agent before and marks this one as running; nil where the file cannot be had.
    ///
    /// Only one agent at a time has a state directory.
    public convenience init?(in directory: String) {
        let boot = (try? PosixFileReader().read(Self.bootPath, limit: Self.limit).text)?
            .split(whereSeparator: \.isWhitespace).first.map(String.init)
        self.init(in: directory, boot: boot ?? "unknown")
    }

    init?(in directory: String, boot: String) {
        guard let file = try? PosixFileSystem().open("\(directory)/\(Self.fileName)", .openOrCreate),
            let found = try? file.readWhole(Self.limit, at: 0)
        else { return nil }
        self.file = file
        self.boot = boot
        before = Self.end(of: String(decoding: found, as: UTF8.self), boot)
        write("running")
        if let descriptor = (file as? PosixFile)?.descriptorForCrashes {
            sonde_write_crashes_to(descriptor, Self.signalOffset)
        }
    }

    deinit {
        sonde_write_crashes_to(-1, 0)
    }

    /// The agent stops as planned.
    public func stop() {
        write("stopped")
    }

    private func write(_ word: String) {
        let mark = Array("\(word) 00 \(boot)\n".utf8)
        // Where it cannot be written, the next start takes this one for what it finds there.
        try? file.writeWhole(mark, at: 0)
        // What a damaged one had beyond it would make it unreadable for good.
        try? file.truncate(to: Int64(mark.count))
    }

    static func end(of text: String, _ boot: String) -> End? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[0] == "running", let signal = Int32(words[1]) else { return nil }
        switch signal {
        case 0: return words[2] == boot ? .killed : .withHost
        case SIGABRT: return .aborted
        default: return .crashed
        }
    }
}
