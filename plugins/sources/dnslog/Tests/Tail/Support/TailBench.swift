import Glibc
import SondeDomain

@testable import DNSLogPlugin

/// A tail on `q.log` in its own folder, with clocks that stop until a test moves them.
final class TailBench {
    let folder: LogFolder
    var settings: TailSettings
    private(set) var tail: LogTail
    private(set) var events: [TailEvent] = []
    private(set) var now = TailInstant(
        monotonic: MonotonicInstant(nanoseconds: 1_000_000_000),
        wall: Timestamp(seconds: 1_767_300_000)
    )
    private let standardInput: Int32
    private var committed: [UInt8]?

    /// Does not start the tail.
    init(
        _ paths: [String] = ["q.log"],
        start: TailSettings.Start = .beginning,
        in folder: LogFolder? = nil,
        standardInput: Int32 = -1,
        _ change: (inout TailSettings) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? LogFolder()
        self.folder = folder
        self.standardInput = standardInput
        settings = TailSettings(paths: paths.map { $0 == "-" ? $0 : folder.file($0) }, start: start)
        change(&settings)
        tail = LogTail(settings, standardInput: standardInput)
    }

    /// A tail that runs, on a log that begins with `text`.
    static func started(
        _ text: String? = nil,
        _ paths: [String] = ["q.log"],
        start: TailSettings.Start = .beginning,
        _ change: (inout TailSettings) -> Void = { _ in }
    ) throws -> TailBench {
        let bench = try TailBench(paths, start: start, change)
        if let text { try bench.folder.append(text) }
        bench.start()
        return bench
    }

    func start() {
        tail.start(committed, at: now)
        takeEvents()
    }

    /// Reads until there is nothing more; the lines found.
    func turn(after span: Nanoseconds = .milliseconds(200)) -> [String] {
        advance(span)
        var lines: [String] = []
        repeat {
            tail.readLines(at: now) { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
        } while tail.progress == .more
        takeEvents()
        return lines
    }

    /// Lets time pass, with looks at the files; the lines found.
    func idle(seconds: Int) -> [String] {
        (0..<seconds).flatMap { _ in turn(after: .seconds(1)) }
    }

    /// The wall clock is at the time that files are written at.
    func useWallClock() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        now.wall = Timestamp(time)
    }

    func advance(_ span: Nanoseconds) {
        now.monotonic = now.monotonic.advanced(by: span)
        now.wall.nanoseconds &+= span.value
    }

    /// What the plugin does at the interval.
    func commit() {
        committed = tail.checkpoint(at: now.wall)
    }

    /// The agent is killed: the next one has only what was committed.
    func kill() {
        tail = LogTail(settings, standardInput: standardInput)
    }

    /// Stops in good order, or is killed when `commit` was not the last call.
    func restart(_ meanwhile: () throws -> Void) throws {
        kill()
        try meanwhile()
        advance(.seconds(60))
        start()
    }

    var losses: [TailLoss.Reason] {
        events.compactMap { if case .lost(_, let loss) = $0 { loss.reason } else { nil } }
    }

    var refusals: [TailRefusal] {
        events.compactMap { if case .refused(_, let refusal) = $0 { refusal } else { nil } }
    }

    func useCheckpoint(_ bytes: [UInt8]) {
        committed = bytes
    }

    private func takeEvents() {
        events += tail.takeEvents()
    }
}

/// `first...last` as lines.
func lines(_ numbers: ClosedRange<Int>, _ word: String = "line") -> String {
    numbers.map { "\(word) \($0)\n" }.joined()
}

/// The lines of ``lines(_:_:)`` without their ends.
func texts(_ numbers: ClosedRange<Int>, _ word: String = "line") -> [String] {
    numbers.map { "\(word) \($0)" }
}
