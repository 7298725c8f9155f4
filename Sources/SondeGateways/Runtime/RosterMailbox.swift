public import SondeDomain
internal import SondeEngine
internal import Synchronization

/// The runners that one change removes and adds.
public struct RosterChange: Sendable {
    /// How removed runners end, by id.
    public var leaving: [String: InstanceControl.Departure]
    /// The added runners: started and held.
    public var newcomers: [any InstanceRunner]
    /// How long removed runners may take to end.
    public var grace: Nanoseconds

    /// A change.
    public init(
        leaving: [String: InstanceControl.Departure], newcomers: [any InstanceRunner], grace: Nanoseconds
    ) {
        self.leaving = leaving
        self.newcomers = newcomers
        self.grace = grace
    }
}

/// Where another thread passes a change of the roster to the loop, and waits for the result.
///
/// One change at a time.
public final class RosterMailbox: Sendable {
    private struct State {
        var change: RosterChange?
        /// Wakes the thread that waits; nil: none does.
        var answered: Timer?
        var answer: Result<[String], SondeError>?
        var isClosed = false
    }

    /// Fires when a change was submitted.
    let arrival = LoopTimer()
    private let state = Mutex(State())

    /// A mailbox that is open.
    public init() {}

    /// Submits a change and waits until removed runners have ended, or timed out; returns the ids of those
    /// that hang.
    ///
    /// Throws when the change was not begun: the newcomers are held as before.
    public func submit(_ change: RosterChange) throws(SondeError) -> [String] {
        // Not kept: reloads are rare.
        let answered = try Timer()
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            (state.change, state.answered) = (change, answered)
            return true
        }
        guard isOpen else { throw Self.closed }
        arrival.fire()
        while true {
            answered.wait()
            let answer = state.withLock { state in
                defer { (state.answer, state.answered) = (nil, nil) }
                return state.answer
            }
            if let answer { return try answer.get() }
        }
    }

    /// The submitted change, once.
    func take() -> RosterChange? {
        state.withLock { state in
            defer { state.change = nil }
            return state.change
        }
    }

    /// The change that was taken could not be begun.
    func refuse(_ error: SondeError) {
        answer(.failure(error))
    }

    /// The change that was taken has ended.
    func end(hanging: [String]) {
        answer(.success(hanging))
    }

    /// The agent stops: no change is taken any more.
    func close() {
        let isRefused = state.withLock { state in
            state.isClosed = true
            defer { state.change = nil }
            return state.change != nil
        }
        if isRefused { refuse(Self.closed) }
    }

    private func answer(_ answer: Result<[String], SondeError>) {
        state.withLock { state in
            state.answer = answer
            state.answered?.arm(at: MonotonicInstant(nanoseconds: 1))
        }
    }

    private static let closed = SondeError(reload: .reloadInterrupted, "the agent is stopping")
}
