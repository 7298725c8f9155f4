internal import SondeDomain

/// The numbers of series that one source had open before, so that a reopened one keeps its number:
/// data that is kept by number, as in the log's definitions and the sinks' encoders, is kept once.
///
/// Bounded. Not safe for use by several threads at once.
struct PastSeries {
    /// How many closed series are known; beyond it all are forgotten.
    static let bound = 4_096

    // Not the series themselves: most, such as those of top lists, are never reopened.
    private var closed: [SeriesFingerprint: SeriesID] = [:]
    // Separate, because it is as large as what the previous channel had open.
    private var inherited: [SeriesFingerprint: Series] = [:]

    /// Inherits what another channel of the source has open, or had when the agent ended.
    mutating func inherit(_ series: [Series]) {
        inherited.merge(series.map { (SeriesFingerprint($0), $0) }) { $1 }
    }

    /// What was inherited and not taken yet.
    var waiting: [Series] { Array(inherited.values) }

    /// Whether something was inherited and not taken yet.
    var isWaiting: Bool { !inherited.isEmpty }

    /// Takes inherited series that were not reopened; if reopened later, they keep their numbers.
    mutating func takeWaiting() -> [Series] {
        let gone = inherited.values.sorted { $0.id.rawValue < $1.id.rawValue }
        inherited = [:]
        for series in gone { remember(series) }
        return gone
    }

    /// Remembers a series that was closed.
    mutating func remember(_ series: Series) {
        if closed.count >= Self.bound { closed.removeAll() }
        closed[SeriesFingerprint(series)] = series.id
    }

    /// A new series, under the number of the equal earlier series, which is then open again.
    mutating func take(_ new: Series) -> Series {
        guard !closed.isEmpty || !inherited.isEmpty else { return new }
        let fingerprint = SeriesFingerprint(new)
        guard let id = inherited.removeValue(forKey: fingerprint)?.id ?? closed.removeValue(forKey: fingerprint)
        else { return new }
        return new.numbered(id)
    }
}
