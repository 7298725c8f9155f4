internal import SondeDomain

/// Series that one source had open before, so that one that comes back goes on under its number: whoever keeps something by
/// number, such as the log's definitions and the sinks' encoders, keeps it once.
///
/// Bounded. Not safe for use by several threads at once.
struct PastSeries {
    /// What two series of one source have in common that are one: all but the number.
    private struct Likeness: Hashable {
        let name: String
        let kind: MetricKind
        let unit: String
        let attributes: [Attribute]
        let labels: [Attribute]

        init(_ series: Series) {
            name = series.name
            kind = series.kind
            unit = series.unit
            attributes = series.attributes
            labels = series.labels
        }
    }

    /// How many closed series are known; beyond it all are forgotten.
    static let bound = 4_096

    private var closed: [Likeness: Series] = [:]
    // Apart, because it is as large as what the channel before had open.
    private var inherited: [Likeness: Series] = [:]

    /// Takes over what another channel of the source has open.
    mutating func inherit(_ series: [Series]) {
        inherited = Dictionary(series.map { (Likeness($0), $0) }) { first, _ in first }
    }

    /// Forgets what was inherited and not taken.
    mutating func endInheritance() {
        inherited = [:]
    }

    /// Remembers a series that was closed.
    mutating func remember(_ series: Series) {
        if closed.count >= Self.bound { closed.removeAll() }
        closed[Likeness(series)] = series
    }

    /// The series of before that is like a new one, which is then open again; or the new one.
    mutating func take(_ new: Series) -> Series {
        guard !closed.isEmpty || !inherited.isEmpty else { return new }
        let likeness = Likeness(new)
        return inherited.removeValue(forKey: likeness) ?? closed.removeValue(forKey: likeness) ?? new
    }
}
