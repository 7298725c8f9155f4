public import SondeDomain

/// Counts the failures of one destination or source in a row and decides how long to wait.
///
/// Not thread-safe.
public struct FailureTracker: Sendable {
    /// How often something that is held is probed.
    public static let probeRange = Nanoseconds.seconds(240)...Nanoseconds.seconds(360)

    /// Failures since the last success.
    public private(set) var failures = 0
    /// Refusals of data since the last acceptance.
    public private(set) var refusals = 0
    /// Defects since the last success.
    public private(set) var defects = 0
    /// The last failure, until a success.
    public private(set) var current: SondeError?
    /// When the row of failures began.
    public private(set) var since: Timestamp?

    private let backoff: Backoff
    private let accessPolicy: SinkConfiguration.AccessPolicy
    private var random: any RandomNumberGenerator & Sendable

    /// A tracker that waits according to `backoff`.
    public init(
        backoff: Backoff,
        accessPolicy: SinkConfiguration.AccessPolicy = .hold,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.backoff = backoff
        self.accessPolicy = accessPolicy
        self.random = random
    }

    /// Whether a failure of this code and class is the same as the one before, so that it is not logged again.
    public func isRepetition(_ error: SondeError) -> Bool {
        current?.code == error.code && current?.failureClass == error.failureClass
    }

    /// Takes the failure of a delivery and returns the action and its wait.
    public mutating func fail(_ error: SondeError, at time: Timestamp) -> (Disposition, Nanoseconds) {
        if error.failureClass.concernsData { refusals &+= 1 }
        countDefect(error)
        let disposition = Disposition(
            error.failureClass, refusals: refusals, defects: defects, onAccessRefused: accessPolicy)
        return take(error, disposition, at: time)
    }

    /// Takes the failure of a start or a collection.
    ///
    /// There is no batch to set aside or to split: it is tried again after a wait, or held.
    public mutating func failWithoutBatch(_ error: SondeError, at time: Timestamp) -> (Disposition, Nanoseconds) {
        countDefect(error)
        let isLastingDefect = error.failureClass == .programmer && defects >= Disposition.defectsUntilHold
        return take(error, error.failureClass.needsPerson || isLastingDefect ? .hold : .retry, at: time)
    }

    private mutating func countDefect(_ error: SondeError) {
        if error.failureClass == .programmer { defects &+= 1 }
    }

    private mutating func take(
        _ error: SondeError,
        _ disposition: Disposition,
        at time: Timestamp
    ) -> (Disposition, Nanoseconds) {
        if current == nil { since = time }
        current = error
        switch disposition {
        case .setAside, .split: return (disposition, .zero)
        case .hold:
            failures &+= 1
            // A sink may know when a probe can succeed: when a certificate becomes valid.
            if let asked = error.retryAfter, asked > .zero {
                return (.hold, min(max(asked, .seconds(1)), Self.probeRange.upperBound))
            }
            let range = Self.probeRange.lowerBound.value...Self.probeRange.upperBound.value
            return (.hold, Nanoseconds(draw(range)))
        case .retry:
            failures &+= 1
            let local = error.failureClass.longestWait.map { Backoff(base: .seconds(1), cap: $0) }
            let wait = (local ?? backoff).delay(failures: failures, retryAfter: error.retryAfter, using: &random)
            return (.retry, wait)
        }
    }

    /// Takes a success; returns the failure that it ends, if there was one.
    public mutating func succeed() -> SondeError? {
        let ended = current
        failures = 0
        refusals = 0
        defects = 0
        current = nil
        since = nil
        return ended
    }

    private mutating func draw(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &random)
    }
}
