internal import SondeDomain

/// The rates that were measured since the last collection.
///
/// Bounded: when there are too many, every second one is kept from then on. The peak is exact all the same.
struct RateSamples {
    private static let limit = 2_048

    private var rates: [Double] = []
    private var stride = 1
    private var skipped = 0

    /// The largest one; nil when there is none.
    private(set) var peak: Double?
    /// The time that ``peak`` is an average over.
    private(set) var peakWindow = Nanoseconds.zero

    init() {}

    /// Adds a rate that held for so many ticks, as an average over `window`.
    mutating func add(_ rate: Double, over window: Nanoseconds, ticks: Int = 1) {
        if peak.map({ rate > $0 }) ?? true { (peak, peakWindow) = (rate, window) }
        for _ in 0..<min(ticks, Self.limit) {
            skipped &+= 1
            guard skipped >= stride else { continue }
            skipped = 0
            rates.append(rate)
            if rates.count >= Self.limit { thin() }
        }
    }

    /// The smallest rate that at least this share of the ticks did not exceed (nearest rank); nil when there is none.
    func quantile(_ share: Double) -> Double? {
        guard !rates.isEmpty else { return nil }
        let sorted = rates.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// Starts from scratch and keeps the memory.
    mutating func removeAll() {
        rates.removeAll(keepingCapacity: true)
        stride = 1
        skipped = 0
        peak = nil
        peakWindow = .zero
    }

    private mutating func thin() {
        var kept = 0
        for index in Swift.stride(from: 1, to: rates.count, by: 2) {
            rates[kept] = rates[index]
            kept += 1
        }
        rates.removeSubrange(kept...)
        stride &*= 2
    }
}
