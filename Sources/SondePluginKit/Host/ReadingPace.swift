public import SondeDomain

/// Keeps a thread that could read without end within a share of one processor, by rests: what comes meanwhile waits where it
/// is, or is lost and counted there.
public struct ReadingPace {
    // How long a thread that was idle may work without a rest, at its share.
    private static let burst = Nanoseconds.seconds(1)

    private let share: Double
    private var last: (instant: MonotonicInstant, used: Nanoseconds)?
    // Processor time in nanoseconds that may be used without a rest.
    private var credit: Double

    /// A pace of so many percent of one processor; nil where that is all of it, so that nothing needs to be measured.
    public init?(percent: Double) {
        guard percent < 100, percent > 0 else { return nil }
        share = percent / 100
        credit = share * Double(Self.burst.value)
    }

    /// How long to rest from now on; zero: not at all.
    ///
    /// `used` is the processor time of the thread so far.
    public mutating func rest(at now: MonotonicInstant, used: Nanoseconds) -> Nanoseconds {
        guard let last else {
            self.last = (now, used)
            return .zero
        }
        self.last = (now, used)
        let earned = share * Double(max(0, now.since(last.instant).value))
        let spent = Double(max(0, used.value - last.used.value))
        credit = min(credit + earned, share * Double(Self.burst.value)) - spent
        return credit < 0 ? Nanoseconds(Int64(min(-credit / share, Double(Nanoseconds.seconds(60).value)))) : .zero
    }
}
