/// A value now, on average and at its highest over a window.
///
/// What is not known is nil, never 0.
public struct CurrentAveragePeak: Hashable, Sendable {
    /// The newest value.
    public var current: Double?
    /// The average over the window.
    public var average: Double?
    /// The largest value in the window.
    public var peak: Double?
    /// How long the time was that ``peak`` is the average of; nil: not known.
    public var peakStep: Nanoseconds?

    /// Three values.
    public init(
        current: Double? = nil, average: Double? = nil, peak: Double? = nil, peakStep: Nanoseconds? = nil
    ) {
        self.current = current
        self.average = average
        self.peak = peak
        self.peakStep = peakStep
    }
}
