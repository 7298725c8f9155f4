internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondeFormats
internal import Synchronization

/// The agent's log on a descriptor, standard error as a rule: one line per event, as text or JSON.
///
/// Bounded: each component may write 50 lines in 10 seconds; what is beyond is counted and reported in the next line that
/// passes. Control bytes are escaped. May be called from any thread.
public final class StreamLog: EventLog {
    /// What a line of text begins with; JSON has the time in any case.
    public enum Stamp: Hashable, Sendable {
        /// Its level: the reader of the lines adds the time.
        case none
        /// The time in UTC, RFC 3339.
        case time
    }

    private struct Budget {
        var windowStart = MonotonicInstant(nanoseconds: 0)
        var used = 0
        var suppressed = 0
    }

    private struct Style {
        let level: LogLevel
        let format: AgentSettings.EventLogFormat
    }

    private static let linesPerWindow = 50
    private static let window = Nanoseconds.seconds(10)
    private static let componentBound = 256

    private let descriptor: Int32
    private let stamp: Stamp
    private let style: Mutex<Style>
    private let held = Mutex<HeldLines?>(nil)
    private let clock: any Clock
    private let budgets = Mutex<[String: Budget]>([:])

    /// A log that writes lines of at least `level` to `descriptor`, which must stay open.
    public init(
        descriptor: Int32,
        level: LogLevel,
        format: AgentSettings.EventLogFormat,
        stamp: Stamp = .none,
        clock: any Clock
    ) {
        self.descriptor = descriptor
        self.stamp = stamp
        style = Mutex(Style(level: level, format: format))
        self.clock = clock
    }

    /// Writes lines of at least `level` from now on, in `format`.
    public func change(level: LogLevel, format: AgentSettings.EventLogFormat) {
        style.withLock { $0 = Style(level: level, format: format) }
    }

    /// Keeps lines, the newest 200, until ``release()``: something else is painted where they would be written.
    public func hold() {
        held.withLock { $0 = $0 ?? HeldLines() }
    }

    /// Writes the lines that were kept, and all others at once from now on.
    public func release() {
        let kept = held.withLock { held in
            defer { held = nil }
            return held
        }
        guard let kept else { return }
        if kept.dropped > 0 { log(.info, "\(kept.dropped) earlier lines were left out", component: nil) }
        for line in kept.lines { put(line) }
    }

    /// Writes one line.
    public func log(_ level: LogLevel, _ message: String, component: String?) {
        write(level, LogLine(message: message, component: component))
    }

    /// Writes one failure.
    public func log(_ level: LogLevel, _ error: SondeError) {
        write(level, LogLine(error))
    }

    private func write(_ level: LogLevel, _ line: LogLine) {
        let style = style.withLock { $0 }
        guard level >= style.level, let suppressed = admit(line.component ?? "") else { return }
        var buffer = ByteBuffer()
        switch style.format {
        case .text:
            if stamp == .time {
                buffer.append(time: clock.wallTime)
                buffer.append(0x20)
            }
            line.appendText(to: &buffer, level: level, suppressed: suppressed)
        case .json: line.appendJSON(to: &buffer, level: level, time: clock.wallTime, suppressed: suppressed)
        }
        if held.withLock({ $0?.append(buffer.bytes) }) == nil { put(buffer.bytes) }
    }

    // One write per line keeps lines of several threads apart. A log that cannot be written has nowhere to report it.
    private func put(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// How many lines were suppressed before this one, or nil when this one is too.
    private func admit(_ component: String) -> Int? {
        let now = clock.monotonicTime
        return budgets.withLock { budgets in
            if budgets.count >= Self.componentBound, budgets[component] == nil { budgets.removeAll() }
            var budget = budgets[component] ?? Budget(windowStart: now)
            defer { budgets[component] = budget }
            if now.since(budget.windowStart) >= Self.window {
                budget.windowStart = now
                budget.used = 0
            }
            guard budget.used < Self.linesPerWindow else {
                budget.suppressed += 1
                return nil
            }
            budget.used += 1
            defer { budget.suppressed = 0 }
            return budget.suppressed
        }
    }
}
