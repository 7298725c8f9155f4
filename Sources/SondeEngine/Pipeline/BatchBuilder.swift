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
        var series: [Series] = []
        // What each series is in the batch; nil: it is not selected.
        var indices = RecentSeries<Int?>()
        var entries: [Batch.Entry] = []
        entries.reserveCapacity(contents.points.count)
        selection.beginBatch(of: contents.points.count)
        for point in contents.points where wantsEnds || !point.value.isEnd {
            let index: Int?
            if let known = indices.index(of: point.series.id) {
                index = indices[known]
            } else {
                let selected = selection.series(point.series)
                index = selected == nil ? nil : series.count
                if let selected { series.append(selected) }
                indices.add(index, for: point.series.id)
            }
            guard let index else { continue }
            let metric = MetricPoint(
                series: point.series.id,
                time: point.time,
                start: point.start,
                value: point.value
            )
            entries.append(Batch.Entry(seriesIndex: index, point: metric))
        }
        return Batch(
            identity: BatchIdentity(agent: agent, epoch: epoch, first: stretch.first, last: stretch.last),
            sink: sink,
            resource: selection.resource(contents.resource),
            series: series,
            entries: entries,
            documents: contents.documents
        )
    }
}
