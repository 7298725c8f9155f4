internal import SondeDomain

/// Gathers what is found of single series, and judges at the end what needs all of a source: whether a series has ended or
/// begun, or only its source was not there.
struct ChangeVerdicts {
    private struct Source {
        /// When something was known last within the range.
        var lastKnown: Timestamp?
        /// Whether it is known what is usual for a series of it.
        var hasPast = false
    }

    private struct Absence {
        var change: HistoryChange
        var lastKnown: Timestamp?
    }

    private var sources: [String: Source] = [:]
    private var moved: [HistoryChange] = []
    private var absences: [Absence] = []
    private var newcomers: [(HistorySeries, ChangeCourse)] = []
    private var days: Set<Int64> = []
    private var compared = 0

    /// Adds what is known of a series.
    mutating func add(_ evidence: ChangeLook.Evidence, of series: HistorySeries) {
        let lastKnown = evidence.course.lastKnown
        days.formUnion(evidence.days)
        // A series that was neither there before nor is there now has nothing to do with the range.
        guard let detector = evidence.detector else {
            if lastKnown != nil {
                note(series.source, lastKnown)
                newcomers.append((series, evidence.course))
            }
            return
        }
        note(series.source, lastKnown)
        sources[series.source]?.hasPast = true
        compared += 1
        if let change = detector.change() { moved.append(change) }
        if let change = detector.vanishing() { absences.append(Absence(change: change, lastKnown: lastKnown)) }
    }

    /// The result.
    func changes(
        _ range: HistoryRange,
        _ reference: HistoryChanges.Reference,
        step: Nanoseconds,
        silence: Nanoseconds = .zero
    ) -> HistoryChanges {
        let latest = range.to.advanced(by: Nanoseconds(-silence.value))
        let present = sources.filter { ($0.value.lastKnown ?? Timestamp(nanoseconds: .min)) > latest }
        var ranked = moved
        let gone = absences.filter { absence in
            present[absence.change.series.source] != nil && (absence.lastKnown.map { $0 <= latest } ?? true)
        }
        // One that was high before it ended has ended.
        let ended = Set(gone.map(\.change.series))
        ranked.removeAll { ended.contains($0.series) }
        ranked += gone.map(\.change)
        var unknown = 0
        for (series, course) in newcomers {
            guard sources[series.source]?.hasPast == true, course.firstKnown.map({ $0 > range.from }) ?? false else {
                unknown += 1
                continue
            }
            let empty = ChangeBaseline(of: series.metric, [], in: .week, alignment: days.isEmpty ? .none : .timeOfDay)
            if let change = ChangeDetector(of: series, course, against: empty).appearance() { ranked.append(change) }
        }
        return HistoryChanges(
            range: range, reference: reference, step: step, daysKept: days.count, compared: compared, unknown: unknown,
            silentSources: sources.filter { $0.value.hasPast && present[$0.key] == nil }.map(\.key).sorted(),
            changes: ranked)
    }

    private mutating func note(_ source: String, _ lastKnown: Timestamp?) {
        let known = sources[source]?.lastKnown
        sources[source, default: Source()].lastKnown = [known, lastKnown].compactMap(\.self).max()
    }
}
