public import SondeDomain
public import SondeEngine

extension SpoolStore {
    /// Appends numbered points as one frame; returns what was dropped, or nil when it was refused.
    @discardableResult
    public func append(_ numbers: ClosedRange<UInt64>, at time: MonotonicInstant) -> [OverflowLoss]? {
        let (result, losses) = append(numbers.map { .numbered($0) }, documents: [], at: time)
        guard case .taken = result else { return nil }
        return losses
    }

    /// The numbers of the points in a stretch.
    public func numbers(in stretch: Stretch, for sink: String) -> [UInt64] {
        read(stretch, for: sink).points.compactMap(\.number)
    }

    /// Reads and acknowledges everything that waits for a sink.
    public func drain(_ sink: String, maxCount: Int = 7) -> [UInt64] {
        var numbers: [UInt64] = []
        while let stretch = cut(for: sink, maxCount: maxCount, maxBytes: .max) {
            numbers += self.numbers(in: stretch, for: sink)
            acknowledge(stretch, for: sink)
        }
        return numbers
    }
}
