public import SondeDomain

/// Which series a sink gets, and under which names and labels.
///
/// A pure function of the sink's configuration; what it derived from a series is kept, so that each is changed once.
/// Not thread-safe.
public final class SeriesSelection {
    /// How labels are changed before a sink gets them.
    ///
    /// Labels are the attributes of a series and the labels of its source; `rename`, `remove` and `add` take those of the
    /// agent too.
    public struct Relabelling: Hashable, Sendable {
        /// Labels and globs: a series whose label does not match is left out, also one without the label.
        public var keep: [Attribute] = []
        /// Labels and globs: a series whose label matches one of them is left out.
        public var drop: [Attribute] = []
        /// Labels and their new names.
        public var rename: [Attribute] = []
        /// Globs on names of labels that are taken out, after `rename`.
        public var remove: [String] = []
        /// Labels that every series has in addition, unless it has one of that name.
        public var add: [Attribute] = []

        /// Nothing is changed.
        public init() {}
    }

    /// What decides about it.
    public struct Rules: Hashable, Sendable {
        /// By the metric's name, before `prefix`.
        public var metrics = SinkConfiguration.MetricFilter()
        /// What is put before each metric's name.
        public var prefix = ""
        /// By labels, and what happens to them.
        public var relabel = Relabelling()

        /// Every series as it is.
        public init() {}
    }

    private let metrics: GlobFilter
    private let prefix: String
    private let keep: [(name: String, glob: GlobFilter)]
    private let drop: [(name: String, glob: GlobFilter)]
    private let rename: [String: String]
    private let remove: GlobFilter
    private let add: [Attribute]
    private let isByNameAlone: Bool
    /// Whether every series is taken, as it is.
    let takesAll: Bool
    private var known = RecentSeries<Series?>()
    private var resource: (given: Resource, made: Resource)?

    /// What a sink with these rules gets.
    public init(_ rules: Rules) {
        let relabel = rules.relabel
        metrics = GlobFilter(include: rules.metrics.include, exclude: rules.metrics.exclude)
        prefix = rules.prefix
        keep = relabel.keep.map { ($0.name, GlobFilter(include: [$0.value], exclude: [])) }
        drop = relabel.drop.map { ($0.name, GlobFilter(include: [$0.value], exclude: [])) }
        rename = Dictionary(relabel.rename.map { ($0.name, $0.value) }) { first, _ in first }
        remove = GlobFilter(include: [], exclude: relabel.remove)
        add = relabel.add
        isByNameAlone = prefix.isEmpty && relabel == Relabelling()
        takesAll = rules == Rules()
    }

    /// Begins a batch of at most so many series.
    func beginBatch(of count: Int) {
        known.removeStale()
        known.beginBatch(of: count)
    }

    /// The series as the sink gets it; nil: it does not.
    func series(_ series: Series) -> Series? {
        guard !isByNameAlone else { return metrics.passes(series.name) ? series : nil }
        if let index = known.index(of: series.id) { return known[index] }
        let made = metrics.passes(series.name) && passesLabels(series) ? changed(series) : nil
        known.add(made, for: series.id)
        return made
    }

    /// The resource as the sink gets it.
    func resource(_ given: Resource) -> Resource {
        guard !isByNameAlone else { return given }
        if let resource, resource.given == given { return resource.made }
        var made = given
        let own = changed(given.labels)
        made.labels = (own + add.filter { label in !own.contains { $0.name == label.name } }).sorted()
        resource = (given, made)
        return made
    }

    private func passesLabels(_ series: Series) -> Bool {
        func value(_ name: String) -> String? {
            series.attribute(name) ?? series.labels.first { $0.name == name }?.value
        }
        return keep.allSatisfy { rule in value(rule.name).map(rule.glob.passes) ?? false }
            && !drop.contains { rule in value(rule.name).map(rule.glob.passes) ?? false }
    }

    /// The same series where no name and no label differs: most sinks only leave some out, and each would keep copies of the rest.
    private func changed(_ series: Series) -> Series {
        let (attributes, labels) = (changed(series.attributes), changed(series.labels))
        guard !prefix.isEmpty || attributes != series.attributes || labels != series.labels else { return series }
        return Series(
            id: series.id, source: series.source, name: prefix + series.name, kind: series.kind, unit: series.unit,
            attributes: attributes, labels: labels, meaning: series.meaning)
    }

    private func changed(_ labels: [Attribute]) -> [Attribute] {
        labels.compactMap { label in
            let name = rename[label.name] ?? label.name
            return remove.passes(name) ? Attribute(name, label.value) : nil
        }
    }
}
