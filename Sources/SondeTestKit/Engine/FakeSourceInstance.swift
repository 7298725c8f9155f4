public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A source instance that a test controls, and that records its calls.
///
/// May be used from any thread.
public final class FakeSourceInstance: SourceInstance, Sendable {
    /// A call as it came in.
    public enum Call: Hashable, Sendable {
        /// `start`.
        case start
        /// `collect`, with whether it was the last one.
        case collect(isFinal: Bool)
        /// `run`.
        case run
        /// `tick`.
        case tick
        /// `close`.
        case close
    }

    /// What a call does beside answering.
    public typealias Body = @Sendable (CallConditions) -> Void

    private struct State {
        var calls: [Call] = []
        var starts: [SondeError?] = []
        var collects: [SondeError?] = []
        var ticks: [SondeError?] = []
        var runs: [SondeError?] = []
        var endsWithFailures = false
        var isOpen = true
    }

    /// Whether it streams.
    public let isStreaming: Bool
    /// Whether it offers `tick`.
    public let offersTick: Bool
    private let lastOutcome: CallOutcome
    private let body: Body
    private let state = Mutex(State())

    /// A source that runs `body` in each collect and run, and whose last collection ends so.
    public init(
        isStreaming: Bool = false, offersTick: Bool = false, lastOutcome: CallOutcome = .completed,
        body: @escaping Body = { _ in }
    ) {
        self.isStreaming = isStreaming
        self.offersTick = offersTick
        self.lastOutcome = lastOutcome
        self.body = body
    }

    /// Every call so far.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// How many collections there were.
    public var collections: Int {
        calls.count { if case .collect = $0 { true } else { false } }
    }

    /// Queues how the next starts end; nil: well.
    public func answerStarts(_ answers: [SondeError?]) { state.withLock { $0.starts += answers } }

    /// Queues how the next collections end; nil: well.
    public func answerCollections(_ answers: [SondeError?]) { state.withLock { $0.collects += answers } }

    /// Queues how the next ticks end; nil: well.
    public func answerTicks(_ answers: [SondeError?]) { state.withLock { $0.ticks += answers } }

    /// Queues how the next runs end; nil: well.
    public func answerRuns(_ answers: [SondeError?]) { state.withLock { $0.runs += answers } }

    /// Each failure ends its process from now on, and nobody notes that.
    public func endWithFailures() { state.withLock { $0.endsWithFailures = true } }

    /// Whether there was no failure that has ended its process since it was last started.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Answers as queued, or well.
    public func start() throws(SondeError) {
        try answer(.start, \.starts)
        state.withLock { $0.isOpen = true }
    }

    /// Runs the body, then answers as queued, or well.
    public func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        body(call)
        try answer(.collect(isFinal: call.isFinal), \.collects)
        return call.isFinal ? lastOutcome : .completed
    }

    /// Runs the body, then answers as queued, or well.
    public func run(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        body(call)
        try answer(.run, \.runs)
        return .cancelled
    }

    /// Answers as queued, or well.
    public func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        try answer(.tick, \.ticks)
        return .completed
    }

    /// Remembers that it was freed.
    public func close() {
        state.withLock { $0.calls.append(.close) }
    }

    private func answer(
        _ call: Call,
        _ queue: sending WritableKeyPath<State, [SondeError?]>
    ) throws(SondeError) {
        let error = state.withLock { state -> SondeError? in
            state.calls.append(call)
            let answer = state[keyPath: queue].isEmpty ? nil : state[keyPath: queue].removeFirst()
            if answer != nil, state.endsWithFailures { state.isOpen = false }
            return answer
        }
        if let error { throw error }
    }
}
