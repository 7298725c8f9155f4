public import SondeDomain

extension HistoryLine {
    /// Writes the members of one point, with the names of its series.
    public func write(_ point: Point, to json: inout JSONWriter) {
        var time = ByteBuffer()
        time.append(time: point.time)
        json.member("time", String(decoding: time.bytes, as: UTF8.self))
        json.member("step_seconds", step.seconds)
        writeSeries(to: &json)
        point.value.writeMembers(to: &json)
    }

    /// Writes the members that name the series; what it does not have is left out.
    public func writeSeries(to json: inout JSONWriter) {
        json.member("metric", series.metric.rawValue)
        json.member("unit", series.metric.unit)
        if let name = series.metric.memberName, let member = series.member { json.member(name, member) }
        json.member("source", series.source)
    }
}

extension HistoryPoint {
    /// Writes what is known of the point; the rest is left out.
    public func writeMembers(to json: inout JSONWriter) {
        for statistic in HistoryStatistic.allCases {
            guard let value = statistic.value(of: self) else { continue }
            json.member(statistic.rawValue, value)
        }
        json.member("count", UInt64(count))
        if let coveredSeconds { json.member("covered_seconds", coveredSeconds) }
        guard let latencies else { return }
        json.member("events", latencies.total)
        json.member("bounds", LatencyCounts.bounds)
        json.member("counts", latencies.counts.map { UInt64($0) })
    }
}
