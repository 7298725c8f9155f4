internal import SondeDomain

/// The metrics of a table's columns, looked up by their names once, as long as the table has the same ones.
struct NamedColumns {
    /// A column that is known here.
    struct Column {
        /// Where the table has it.
        let place: Int
        /// Identifies its name.
        let number: Int
        let name: String
        let metric: MetricDefinition
    }

    private let known: [String: (number: Int, metric: MetricDefinition)]
    private var names: [String] = []
    private(set) var columns: [Column] = []

    /// Columns of these names; `make` returns the metric of each.
    init(_ known: [String: String], _ make: (String) -> MetricDefinition?) {
        var metrics: [String: (number: Int, metric: MetricDefinition)] = [:]
        for (number, name) in known.keys.sorted().enumerated() {
            if let metric = make(name) { metrics[name] = (number, metric) }
        }
        self.known = metrics
    }

    /// Looks them up where they are not those of the last time.
    mutating func learn(_ names: [String]) {
        guard names != self.names else { return }
        self.names = names
        columns = names.enumerated().compactMap { place, name in
            known[name].map { Column(place: place, number: $0.number, name: name, metric: $0.metric) }
        }
    }
}
