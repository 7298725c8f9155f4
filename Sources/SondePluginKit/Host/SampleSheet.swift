public import SondeDomain

/// The samples of one commit, and the series that they belong to, each opened when it is first needed.
public final class SampleSheet {
    private struct Key: Hashable {
        let metric: String
        /// Which of the metric's series, by a number that the caller gives.
        let cell: Int
        /// Which of them, by a name.
        var name = ""
    }

    /// When everything was 0.
    public let started: Timestamp
    private let host: PluginHost
    private var lasting: [Key: SeriesHandle] = [:]
    private var passing: [Key: SeriesHandle] = [:]
    private var stale: [Key: SeriesHandle] = [:]
    private var samples = SampleBuffer()
    private var time: Timestamp

    /// A sheet whose series begin now.
    public init(_ host: PluginHost) {
        self.host = host
        started = host.wallTime
        time = started
    }

    /// Begins the samples of one moment.
    public func begin(at now: Timestamp) {
        time = now
        samples.removeAll()
        stale = passing
        passing = [:]
    }

    /// Closes the series of keys that have left the top.
    public func end() {
        for handle in stale.values { host.closeSeries(handle) }
        stale = [:]
    }

    /// Offers the samples once.
    ///
    /// A checkpoint goes with them: either both are taken or neither.
    public func commit(checkpoint: [UInt8]? = nil) -> PluginHost.CommitResult {
        host.commit(samples, checkpoint: checkpoint)
    }

    /// Adds a value of a series that stays open from now on.
    public func add(
        _ metric: MetricDefinition,
        _ value: SampleValue,
        cell: Int = 0,
        name: String = "",
        _ attributes: @autoclosure () -> [Attribute] = []
    ) {
        let key = Key(metric: metric.name, cell: cell, name: name)
        let handle = lasting[key] ?? open(metric, attributes())
        // Refused ones are asked for again at the next interval.
        if !handle.isRefused { lasting[key] = handle }
        samples.append(handle, value, at: time)
    }

    /// Adds a count of a cell that may never be touched: without a count there is no series.
    public func count(
        _ metric: MetricDefinition,
        _ count: UInt64,
        cell: Int,
        _ attributes: @autoclosure () -> [Attribute]
    ) {
        guard count > 0 else { return }
        add(metric, .unsigned(count), cell: cell, attributes())
    }

    /// Adds a value of a series that is closed when the next samples have none of it.
    public func addPassing(_ metric: MetricDefinition, _ value: UInt64, name: String, _ attributes: [Attribute]) {
        let key = Key(metric: metric.name, cell: 0, name: name)
        let handle = stale.removeValue(forKey: key) ?? open(metric, attributes)
        if !handle.isRefused { passing[key] = handle }
        samples.append(handle, .unsigned(value), at: time)
    }

    private func open(_ metric: MetricDefinition, _ attributes: [Attribute]) -> SeriesHandle {
        let isCumulative = metric.kind == .counter || metric.kind == .histogram
        return host.openSeries(
            metric,
            attributes,
            start: isCumulative ? started : nil,
            width: metric.kind == .counter ? .bits64 : .unknown
        )
    }
}
