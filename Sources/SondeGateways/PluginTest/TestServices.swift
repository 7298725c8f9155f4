internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// The engine as an instance under test sees it: answers as a rule says, and remembers everything.
final class TestServices: SourceServices, SinkServices {
    struct Opening: Hashable {
        let series: SeriesSpecification
        let handle: UInt64
        let call: Int
    }

    struct Commit {
        let samples: [Sample]
        let rejections: [SampleRejection]
        let at: MonotonicInstant
        let answer: CommitResult
    }

    struct State {
        /// The call that is under way, counted from 1.
        var call = 0
        /// Every call of the host.
        var events = 0
        var openings: [Opening] = []
        /// Identities of series that are open.
        var open: [Identity: UInt64] = [:]
        var specifications: [UInt64: SeriesSpecification] = [:]
        var conflicts: [String] = []
        var commits: [Commit] = []
        var checkpoint: [UInt8]?
        /// Rules of the contract that the host saw broken.
        var breaches: [String] = []
        /// What was reported of input that cannot be used.
        var troubles: [SondeError] = []
        /// The last lines of the log.
        var lines: [String] = []
        /// The answers to the next commits; then everything is taken.
        var answers: [CommitResult] = []
        /// What cancels the call under way; nil: nothing is stopping.
        var stop: CancelSignal?
        /// What cancels the call under way once there are so many commits.
        var end: (signal: CancelSignal, commits: Int)?
        /// When it was.
        var endedAt: MonotonicInstant?
        var lastHandle: UInt64 = 0
        var refusesSeries = false
    }

    /// What makes a series one.
    struct Identity: Hashable {
        let name: String
        let attributes: [Attribute]

        init(_ series: SeriesSpecification) { (name, attributes) = (series.name, series.attributes) }
    }

    private static let limit = 100_000
    private static let lineLimit = 64
    let clock: any Clock = SystemClock()
    private let state = Mutex(State())

    func read<Value: Sendable>(_ body: (borrowing State) -> Value) -> Value { state.withLock { body($0) } }
    func answer(_ answers: [CommitResult]) { state.withLock { $0.answers = answers } }

    /// Answers every commit with STOPPING, and gives the signal with the first as an agent does.
    func stop(_ signal: CancelSignal) { state.withLock { $0.stop = signal } }

    /// Gives the signal with the commit after so many more.
    func end(_ signal: CancelSignal, afterCommits count: Int) {
        state.withLock { $0.end = (signal, $0.commits.count + count) }
    }

    /// Has the position that another instance has left.
    func restore(_ checkpoint: [UInt8]) { state.withLock { $0.checkpoint = checkpoint } }

    func refuseSeries() { state.withLock { $0.refusesSeries = true } }
    func beginCall() { state.withLock { $0.call += 1 } }

    /// How many commits were made.
    var commits: Int { state.withLock { $0.commits.count } }
    /// How often the host was called.
    var events: Int { state.withLock { $0.events } }

    func log(_ level: LogLevel, _ message: String) {
        state.withLock { state in
            state.events += 1
            if state.lines.count == Self.lineLimit { state.lines.removeFirst() }
            state.lines.append(message)
            guard message.hasPrefix("\(ErrorCode.pluginContractBroken):"), state.breaches.count < 64 else { return }
            state.breaches.append(message)
        }
    }

    func reportLoss(_ loss: Loss) { count() }

    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        state.withLock { state in
            state.events += 1
            if state.troubles.count < Self.lineLimit { state.troubles.append(error) }
        }
        return true
    }

    func clearTrouble(_ code: ErrorCode, optionPath: String?) { count() }

    func meaning(of metric: String) -> String { "What \(metric) measures." }

    func reject(pointOf metric: String, reason: String) { count() }

    func openSeries(_ series: SeriesSpecification) -> UInt64 {
        state.withLock { state in
            state.events += 1
            guard !state.refusesSeries, state.openings.count < Self.limit else { return 0 }
            let identity = Identity(series)
            if let known = state.open[identity] {
                let before = state.specifications[known] ?? series
                guard before.kind == series.kind, before.unit == series.unit else {
                    state.conflicts.append(
                        "\(series.name) is open as \(before.kind.name) in '\(before.unit)' "
                            + "and was opened as \(series.kind.name) in '\(series.unit)'")
                    return 0
                }
                state.openings.append(Opening(series: series, handle: known, call: state.call))
                return known
            }
            state.lastHandle += 1
            state.open[identity] = state.lastHandle
            state.specifications[state.lastHandle] = series
            state.openings.append(Opening(series: series, handle: state.lastHandle, call: state.call))
            return state.lastHandle
        }
    }

    func closeSeries(_ handle: UInt64) {
        state.withLock { state in
            state.events += 1
            guard let series = state.specifications[handle] else { return }
            state.open[Identity(series)] = nil
        }
    }

    func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult {
        let now = clock.monotonicTime
        return state.withLock { state in
            state.events += 1
            var answer = state.answers.isEmpty ? .taken : state.answers.removeFirst()
            if let stop = state.stop {
                answer = .stopping
                stop.cancel()
            }
            if state.commits.count < Self.limit {
                state.commits.append(Commit(samples: samples, rejections: rejections, at: now, answer: answer))
            }
            if let end = state.end, state.commits.count >= end.commits {
                end.signal.cancel()
                (state.end, state.endedAt) = (nil, now)
            }
            if answer == .taken, let checkpoint { state.checkpoint = checkpoint }
            return answer
        }
    }

    func loadCheckpoint() -> [UInt8]? {
        state.withLock { state in
            state.events += 1
            return state.checkpoint
        }
    }

    func requestTick(every period: Nanoseconds) -> Bool {
        count()
        return true
    }

    private func count() { state.withLock { $0.events += 1 } }
}
