internal import SondeDomain

/// The series that one source had open before: those whose end is still to be sent, and the numbers of all.
///
/// A reopened series keeps its number: data that is kept by number, as in the log's definitions and the sinks' encoders,
/// is kept once. Bounded. Not safe for use by several threads at once.
struct PastSeries {
    /// How many closed series are known; beyond it all are forgotten.
    static let bound = 4_096
    /// So many intervals, or so long, a source has to reopen what it inherited: what is walked through seldom is not in
    /// each collection.
    private static let intervalsToReturn: Int64 = 6
    private static let longestReturn = Nanoseconds.seconds(60)

    // Those that have ended since the last commit that was taken.
    private var ended: [SeriesFingerprint: Series] = [:]
    // Not the series themselves: most, such as those of top lists, are never reopened.
    private var closed: [SeriesFingerprint: SeriesID] = [:]
    // Separate, because it is as large as what the previous channel had open.
    private var inherited: [SeriesFingerprint: Series] = [:]
    private let timeToReturn: Nanoseconds
    /// When the first commit was made.
    private var began: MonotonicInstant?

    /// None, of a source that is collected, or commits, once per `interval`.
    init(interval: Nanoseconds) {
        timeToReturn = min(interval * Self.intervalsToReturn, Self.longestReturn)
    }

    /// Inherits what another channel of the source has open, or had when the agent ended.
    mutating func inherit(_ series: [Series]) {
        inherited.merge(series.map { (SeriesFingerprint($0), $0) }) { $1 }
    }

    /// Those whose end is to be sent with this commit.
    var ending: [Series] { ended.isEmpty ? [] : ended.values.sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Those that are not open and whose end was not taken.
    var unended: [Series] { Array(inherited.values) + ended.values }

    /// Remembers a series that was closed; `isLive`: sinks have it and do not know its end.
    mutating func close(_ series: Series, isLive: Bool) {
        if isLive { ended[SeriesFingerprint(series)] = series } else { remember(SeriesFingerprint(series), series.id) }
    }

    private mutating func remember(_ fingerprint: SeriesFingerprint, _ id: SeriesID) {
        if closed.count >= Self.bound { closed.removeAll() }
        closed[fingerprint] = id
    }

    /// A new series, under the number of the equal earlier series, which is then open again; `isLive`: sinks have it and
    /// do not know its end.
    mutating func take(_ new: Series) -> (series: Series, isLive: Bool) {
        guard !closed.isEmpty || !inherited.isEmpty || !ended.isEmpty else { return (new, false) }
        let fingerprint = SeriesFingerprint(new)
        if let live = inherited.removeValue(forKey: fingerprint) ?? ended.removeValue(forKey: fingerprint) {
            return (new.numbered(live.id), true)
        }
        return (closed.removeValue(forKey: fingerprint).map(new.numbered) ?? new, false)
    }

    /// A commit begins: what was inherited and not reopened in time has ended.
    mutating func commitBegins(at now: MonotonicInstant) {
        let began = began ?? now
        self.began = began
        if !inherited.isEmpty, now > began, now.since(began) >= timeToReturn { endInherited() }
    }

    /// What was inherited and not reopened has ended.
    mutating func endInherited() {
        ended.merge(inherited) { $1 }
        inherited = [:]
    }

    /// The ends were taken.
    mutating func endsAreTaken() {
        guard !ended.isEmpty else { return }
        for (fingerprint, series) in ended { remember(fingerprint, series.id) }
        ended = [:]
    }
}
