internal import SondeDomain

/// Makes the batches of one sink: a pure function of the stretch and the sink's configuration.
struct BatchBuilder {
    private let sink: String
    private let agent: String
    private let selection: SeriesSelection
    private let wantsEnds: Bool
    private let places = Places()

    /// Where series were last in a batch: found without hashing where they come in their order.
    private final class Places {
        var known = RecentSeries<(batch: UInt64, index: Int?)>()
        var batch: UInt64 = 0

        func beginBatch(of count: Int) {
            batch &+= 1
            known.removeStale()
            known.beginBatch(of: count)
        }
    }

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
        var entries: [Batch.Entry] = []
        entries.reserveCapacity(contents.points.count)
        selection.beginBatch(of: contents.points.count)
        places.beginBatch(of: contents.points.count)
        for point in contents.points where wantsEnds || !point.value.isEnd {
            let place = places.known.index(of: point.series.id)
            let index: Int?
            if let place, places.known[place].batch == places.batch {
                index = places.known[place].index
            } else {
                let selected = selection.series(point.series)
                index = selected == nil ? nil : series.count
                if let selected { series.append(selected) }
                if let place {
                    places.known[place] = (places.batch, index)
                } else {
                    places.known.add((places.batch, index), for: point.series.id)
                }
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
