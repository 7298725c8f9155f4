public import SondeDomain

/// How long to wait after consecutive failures: `uniform(base, min(cap, base * 2^n))`.
///
/// The bounded form spreads many hosts, but never waits zero. A requested wait is a minimum, and jitter is
/// added only after it, so that hosts with the same requested wait do not retry in the same second.
public struct Backoff: Hashable, Sendable {
    /// The shortest wait.
    public let base: Nanoseconds
    /// The longest wait that the backoff chooses.
    public let cap: Nanoseconds

    /// The upper bound of a wait that a receiver requests.
    public static let longestRetryAfter = Nanoseconds.seconds(900)

    /// A backoff between `base` and `cap`.
    public init(base: Nanoseconds, cap: Nanoseconds) {
        self.base = max(base, .milliseconds(1))
        self.cap = max(cap, self.base)
    }

    /// The longest wait after `failures` in a row, counted from 1.
    public func ceiling(failures: Int) -> Nanoseconds {
        min(cap, base * (Int64(1) << Int64(min(max(failures, 0), 16))))
    }

    /// The wait after `failures` in a row.
    public func delay(
        failures: Int,
        retryAfter: Nanoseconds?,
        using random: inout some RandomNumberGenerator
    ) -> Nanoseconds {
        let own = Nanoseconds(Int64.random(in: base.value...ceiling(failures: failures).value, using: &random))
        guard let wish = retryAfter else { return own }
        let asked = min(max(wish, .zero), Self.longestRetryAfter)
        guard asked.value > 0 else { return own }
        let jitter = Nanoseconds(Int64.random(in: 0...Self.spread(after: asked).value, using: &random))
        return max(own, asked) + jitter
    }

    /// The most that is added to a wait that the receiver requested.
    private static func spread(after asked: Nanoseconds) -> Nanoseconds {
        min(max(asked, .seconds(5)), .seconds(60))
    }

    /// The parts of a wait that the receiver requested, in words; nil when it requested none.
    public static func reason(ofWaiting wish: Nanoseconds?) -> String? {
        guard let wish, wish > .zero else { return nil }
        let asked = min(wish, longestRetryAfter)
        return "asked to wait \(DurationText.text(of: asked)); that or a longer backoff, "
            + "and up to \(DurationText.text(of: spread(after: asked))) to spread hosts"
    }
}
