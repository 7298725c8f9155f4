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

    /// Three values.
    public init(current: Double? = nil, average: Double? = nil, peak: Double? = nil) {
        self.current = current
        self.average = average
        self.peak = peak
    }
}
