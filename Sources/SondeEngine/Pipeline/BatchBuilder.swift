internal import SondeDomain

/// Makes the batches of one sink: a pure function of the stretch and the sink's configuration.
struct BatchBuilder {
    private let sink: String
    private let agent: String
    private let selection: SeriesSelection
    private let wantsEnds: Bool

    /// `agent` is its UUID; `wantsEnds`: whether the sink learns of series that have ended.
    init(
        sink: String, agent: String, selection: SeriesSelection.Rules = SeriesSelection.Rules(), wantsEnds: Bool = false
    ) {
        self.sink = sink
        self.agent = agent
        self.selection = SeriesSelection(selection)
        self.wantsEnds = wantsEnds
    }

    /// What builds the batches of a sink with these settings.
    init(_ settings: DeliverBatches.Settings, agent: String) {
        self.init(sink: settings.id, agent: agent, selection: settings.selection, wantsEnds: settings.wantsEnds)
    }

    /// The batch of a stretch of the log of that epoch, with the points and labels that the sink is configured to get.
    func batch(_ stretch: Stretch, of epoch: String, _ contents: SpoolContents) -> Batch {
        let (series, entries) = chosen(of: contents.points)
        return Batch(
            identity: BatchIdentity(agent: agent, epoch: epoch, first: stretch.first, last: stretch.last),
            sink: sink,
            resource: selection.resource(contents.resource),
            series: series,
            entries: entries,
            documents: contents.documents
        )
    }

    /// The series that the sink gets, as it gets them, and their points.
    private func chosen(of points: SpooledPoints) -> (series: [Series], entries: [Batch.Entry]) {
        let hasUnwanted = !wantsEnds && points.endCount > 0
        guard hasUnwanted || !selection.takesAll else { return (points.series, points.entries) }
        selection.beginBatch(of: points.series.count)
        let selected = points.series.map(selection.series)
        var places = [Int?](repeating: nil, count: selected.count)
        var series: [Series] = []
        var entries: [Batch.Entry] = []
        entries.reserveCapacity(points.entries.count)
        for entry in points.entries where wantsEnds || !entry.point.value.isEnd {
            guard let chosen = selected[entry.seriesIndex] else { continue }
            let place = places[entry.seriesIndex] ?? series.count
            if place == series.count {
                places[entry.seriesIndex] = place
                series.append(chosen)
            }
            entries.append(Batch.Entry(seriesIndex: place, point: entry.point))
        }
        return (series, entries)
    }
}
