public import SondeDomain

/// Reports repeated failures rarely: the first, then at intervals the number since then, and the
/// end.
///
/// A failure of a part of what was read is an event, not a state, and each is reported. Not thread-safe.
public struct FailureEpisodes: Sendable {
    /// A report.
    public enum Report: Hashable, Sendable {
        /// A failure that did not last before, or an event.
        case began(SondeError)
        /// A failure that lasts: the newest of it, and how many there were since the last report.
        case lasts(SondeError, count: Int)
        /// No failure of this code occurred for a while.
        case ended(ErrorCode)
    }

    /// How often a failure that lasts is reported.
    public static let reminder = Nanoseconds.seconds(600)
    /// How long a failure must be absent until it is over: an intermittent failure is one.
    public static let quiet = Nanoseconds.seconds(60)

    private struct Episode {
        var failure: InstanceStatus.Failure
        var reported: MonotonicInstant
        var count = 0
    }

    private var episodes: [ErrorCode: Episode] = [:]

    /// No failure lasts.
    public init() {}

    /// When `settle` is to be called at the latest; nil: nothing lasts.
    public var nextLook: MonotonicInstant? {
        episodes.values.map { $0.failure.last.advanced(by: Self.quiet) }.min()
    }

    /// The failures that last, by code.
    public var lasting: [InstanceStatus.Failure] {
        episodes.values.map(\.failure).sorted { $0.error.code.text < $1.error.code.text }
    }

    /// Takes failures in their order, and returns what is to be reported.
    public mutating func take(_ failures: [SondeError], at now: MonotonicInstant) -> [Report] {
        failures.compactMap { take($0, at: now) }
    }

    /// Returns the failures that are over.
    public mutating func settle(at now: MonotonicInstant) -> [Report] {
        let ended = episodes.filter { now.since($0.value.failure.last) >= Self.quiet }.keys
        for code in ended { episodes[code] = nil }
        return ended.sorted { $0.text < $1.text }.map { .ended($0) }
    }

    private mutating func take(_ failure: SondeError, at now: MonotonicInstant) -> Report? {
        guard !failure.failureClass.isEvent else { return .began(failure) }
        guard var episode = episodes[failure.code] else {
            let begun = InstanceStatus.Failure(error: failure, since: now, last: now)
            episodes[failure.code] = Episode(failure: begun, reported: now)
            return .began(failure)
        }
        episode.failure.error = failure
        episode.failure.last = now
        episode.failure.count &+= 1
        episode.count += 1
        let isDue = now.since(episode.reported) >= Self.reminder
        let count = episode.count
        if isDue {
            episode.reported = now
            episode.count = 0
        }
        episodes[failure.code] = episode
        return isDue ? .lasts(failure, count: count) : nil
    }
}

extension EventLog {
    /// Writes a report about `component`, nil: about the agent.
    func log(_ level: LogLevel, _ report: FailureEpisodes.Report, component: String?) {
        switch report {
        case .began(let error): log(level, error)
        case .lasts(let error, let count):
            log(level, error.saying("\(error.message) (\(count) times since the last line about it)"))
        case .ended(let code): log(.info, "recovered from \(code)", component: component)
        }
    }
}
