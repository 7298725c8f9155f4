public import SondeDomain
internal import Synchronization

/// The series that the ledger is shipped as: how much was lost and how often, by component and reason.
///
/// May be called from any thread.
public final class LossSeries: Sendable {
    private struct Key: Hashable {
        let component: String
        let reason: String
    }

    private struct Pair {
        let count: Series
        let reports: Series
    }

    private let start: Timestamp
    private let known = Mutex<[Key: Pair]>([:])

    /// Series of counts that were zero at `start`.
    public init(start: Timestamp) {
        self.start = start
    }

    /// Whether a series is one of these, or was in an earlier run.
    static func has(_ series: Series) -> Bool {
        series.source == AgentCatalog.source
            && [AgentMetric.losses, .lossReports].contains { $0.definition.name == series.name }
    }

    /// The points of an entry as it is now; its amount is left out while no report has it.
    ///
    /// Never at the time of what was lost: a receiver that refuses samples of that time would refuse these too, which is
    /// a loss again, without end. `number` gives a new series its number.
    func points(of entry: LossLedger.Entry, now: Timestamp, number: (Series) -> Series) -> [SpooledPoint] {
        let pair = known.withLock { known in
            let key = Key(component: entry.component, reason: entry.reason)
            if let pair = known[key] { return pair }
            let pair = Pair(
                count: number(series(.losses, entry)),
                reports: number(series(.lossReports, entry))
            )
            known[key] = pair
            return pair
        }
        var points = [SpooledPoint(series: pair.reports, time: now, start: start, value: .unsigned(entry.reports))]
        if let count = entry.count {
            points.append(SpooledPoint(series: pair.count, time: now, start: start, value: .unsigned(count)))
        }
        return points
    }

    private func series(_ metric: AgentMetric, _ entry: LossLedger.Entry) -> Series {
        let definition = metric.definition
        return Series(
            id: SeriesID(rawValue: 0),
            source: AgentCatalog.source,
            name: definition.name,
            kind: definition.kind,
            unit: definition.unit,
            attributes: zip(definition.attributes, [entry.component, entry.reason]).map { Attribute($0, $1) }
        )
    }
}
