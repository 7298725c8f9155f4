internal import SondeDomain

/// One part of the dashboard's data: what is known, how far the next answer is, and what went wrong.
public struct DashboardPart<Value: Hashable & Sendable>: Hashable, Sendable {
    /// How far it is.
    public private(set) var loading = LoadingState.idle
    /// What was last known.
    public internal(set) var value: Value?
    /// Why the last request failed, until it is dismissed or a request succeeds.
    public private(set) var failure: DashboardFailure?
    /// The request that is waited for; answers to any other are late and dropped.
    private(set) var request: Int?
    private var asked = MonotonicInstant(nanoseconds: 0)
    /// When it is asked for by itself; nil: it is not.
    private(set) var due: MonotonicInstant?

    /// Nothing is known.
    public init() {}

    func isDue(at now: MonotonicInstant) -> Bool {
        request == nil && due.map { $0 <= now } ?? false
    }

    /// Whether its request has not been answered for so long.
    func isOverdue(at now: MonotonicInstant, after patience: Nanoseconds) -> Bool {
        request != nil && asked.advanced(by: patience) <= now
    }

    /// When it has to be looked at next; nil: never.
    func wake(after patience: Nanoseconds) -> MonotonicInstant? {
        request == nil ? due : asked.advanced(by: patience)
    }

    mutating func begin(_ request: Int, at now: MonotonicInstant) {
        self.request = request
        asked = now
        loading = value == nil ? .loading : .refreshing
    }

    /// The next page of the same answer.
    mutating func beginMore(_ request: Int, at now: MonotonicInstant) {
        begin(request, at: now)
        loading = .loadingMore
    }

    mutating func succeed(_ value: Value, next due: MonotonicInstant?) {
        self.value = value
        (loading, failure, request, self.due) = (.success, nil, nil, due)
    }

    mutating func fail(_ failure: DashboardFailure, next due: MonotonicInstant?) {
        self.failure = failure
        (loading, request, self.due) = (.failed, nil, due)
    }

    /// Asks for it at an instant, whatever is waited for.
    mutating func schedule(_ due: MonotonicInstant?) {
        if request != nil { loading = value == nil ? .idle : .success }
        (request, self.due) = (nil, due)
    }

    /// Forgets what is known, and asks for it anew at an instant.
    mutating func reset(next due: MonotonicInstant?) {
        self = DashboardPart()
        self.due = due
    }

    /// Forgets the failure.
    mutating func dismiss() {
        guard failure != nil else { return }
        failure = nil
        if loading == .failed { loading = value == nil ? .idle : .success }
    }
}
