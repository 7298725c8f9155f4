public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `series.watch`: the last point of every series, then each new point and each end as they are committed.
///
/// Points are encoded once, and lines once for all equal subscriptions.
public final class SeriesFeed: ControlFeed {
    // Encoding so many takes about a millisecond on the loop.
    private static let chunk = 500

    /// `series.watch`.
    public let request = "series.watch"
    /// Set when there are updates.
    public let timer = LoopTimer()
    private let list: ListSeries
    private let updates: SeriesUpdates
    private let counts: ControlCounts
    private var subscriptions: [ObjectIdentifier: SeriesSubscription] = [:]

    /// A feed of what `list` returns and `updates` bring.
    public init(_ list: ListSeries, _ updates: SeriesUpdates, counts: ControlCounts) {
        self.list = list
        self.updates = updates
        self.counts = counts
    }

    /// A subscription that begins with the last points of all series.
    public func subscribe(_ arguments: JSONValue) throws(SondeError) -> any ControlSubscription {
        let subscription = SeriesSubscription(try SeriesQuery(arguments), list) { [unowned self] in forget($0) }
        if subscriptions.isEmpty { updates.begin(timer) }
        subscriptions[ObjectIdentifier(subscription)] = subscription
        return subscription
    }

    /// Queues the next updates to all subscriptions.
    public func publish() {
        switch updates.take(atMost: Self.chunk) {
        case .nothing: return
        case .restart(let reason):
            if reason == .lagged { counts.lagged &+= UInt64(subscriptions.count) }
            for subscription in subscriptions.values { subscription.restart(reason) }
        case .points(let points):
            let lines = SeriesLines(points)
            for (query, readers) in Dictionary(grouping: subscriptions.values, by: \.query) {
                guard let line = lines.line(of: query) else { continue }
                for reader in readers where !reader.offer(line) { counts.lagged &+= 1 }
            }
        }
    }

    private func forget(_ subscription: SeriesSubscription) {
        subscriptions[ObjectIdentifier(subscription)] = nil
        guard subscriptions.isEmpty else { return }
        updates.end()
        timer.disarm()
    }
}

/// New points, each of them encoded.
private struct SeriesLines {
    private let items: [(series: Series, json: [UInt8]?)]

    init(_ points: ArraySlice<SpooledPoint>) {
        items = points.map { point in
            guard !point.value.isEnd else { return (point.series, nil) }
            var json = JSONWriter()
            json.value(point)
            return (point.series, json.bytes)
        }
    }

    /// The line with those that match; nil: none does.
    func line(of query: SeriesQuery) -> [UInt8]? {
        let asked = items.filter { query.passes($0.series) }
        guard !asked.isEmpty else { return nil }
        let ended = asked.filter { $0.json == nil }.map(\.series.id.rawValue)
        return ControlDispatcher.text(
            ControlAnswer("update") { json in
                json.object { json in
                    json.member("items") { json in
                        json.array { json in for item in asked { item.json.map { json.raw($0) } } }
                    }
                    if !ended.isEmpty { json.member("ended", ended) }
                }
            })
    }
}
