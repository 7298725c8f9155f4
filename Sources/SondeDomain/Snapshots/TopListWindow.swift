/// One list of one source: the last values of the series that are open.
///
/// Bounded: what finds no room counts in what is left.
public struct TopListWindow: Sendable {
    /// A value of a series that is part of a list.
    public struct Reading: Sendable {
        let definition: TopListDefinition
        let series: Series
        let value: Double

        /// A reading.
        public init(_ definition: TopListDefinition, _ series: Series, value: Double) {
            self.definition = definition
            self.series = series
            self.value = value
        }
    }

    private struct Held {
        let series: Series
        var value: Double
    }

    /// How many series are kept at most.
    static let seriesBound = 1_024
    /// For how long a list is the current one at least: procnet looks at sockets once a minute or more often.
    private static let lifetime = Nanoseconds.seconds(150)

    private let definition: TopListDefinition
    private let unit: String
    private let covers: Bool
    private var held: [SeriesID: Held] = [:]
    /// Of the last commit.
    private var refused: (count: Int, value: Double) = (0, 0)
    private var last: MonotonicInstant
    private var interval: Nanoseconds?

    init(_ reading: Reading, at now: MonotonicInstant) {
        definition = reading.definition
        unit = reading.series.unit
        // What goes up and down is of the moment.
        covers = reading.series.kind != .upDown
        last = now
    }

    /// A commit begins that has readings of the list; `previous`: when the source last committed anything.
    mutating func begin(at now: MonotonicInstant, after previous: MonotonicInstant?) {
        refused = (0, 0)
        // Where nothing but what is left stayed open, the intervals between were empty, and not counted together with this one.
        let begin = held.count > 1 ? last : previous ?? last
        interval = now > begin ? now.since(begin) : interval
        last = now
    }

    mutating func take(_ reading: Reading) {
        let id = reading.series.id
        guard held[id] != nil || held.count < Self.seriesBound else {
            refused.count += 1
            refused.value += reading.value
            return
        }
        held[id] = Held(series: reading.series, value: reading.value)
    }

    mutating func forget(_ series: SeriesID) {
        held[series] = nil
    }

    /// The list at an instant; nil: it was not reported for too long.
    func list(of source: String, at now: MonotonicInstant) -> TopList? {
        let age = max(.zero, now.since(last))
        let bound = max(Self.lifetime, (interval ?? .zero) * 3)
        guard age <= bound, !held.isEmpty else { return nil }
        var rows: [String: TopList.Row] = [:]
        var total = refused.value
        for entry in held.values {
            total += entry.value
            guard entry.value > 0, let row = definition.row(of: entry.series) else { continue }
            rows[row.label, default: row].value += entry.value
        }
        let sorted = rows.values.sorted { left, right in
            left.value == right.value
                ? left.label.utf8.lexicographicallyPrecedes(right.label.utf8) : left.value > right.value
        }
        let heaviest = sorted.prefix(TopList.bound).map(\.bounded)
        return TopList(
            name: definition.name, title: definition.title, unit: unit, source: source, age: age,
            interval: covers ? interval : nil, rows: heaviest, count: rows.count + refused.count,
            rest: max(0, total - heaviest.reduce(0) { $0 + $1.value }), total: total)
    }
}
