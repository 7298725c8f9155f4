internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// The series that a program's points belong to.
struct ExecSeries {
    private struct Open {
        var handle: UInt64
        var start: Timestamp?
        var round: UInt64
    }

    // By what identifies a series: no start and no meaning.
    private var open: [SeriesSpecification: Open] = [:]
    private var round: UInt64 = 0

    /// The samples of points; series that are new are opened.
    mutating func samples(of points: [LinePoint], _ services: any SourceServices) -> [Sample] {
        var samples: [Sample] = []
        samples.reserveCapacity(points.count)
        for point in points {
            // A series that is refused is counted where it is refused.
            guard let handle = handle(of: point.series, services) else { continue }
            samples.append(Sample(series: handle, time: point.time, value: point.value))
        }
        return samples
    }

    /// Closes every series that had no point since the last call: its object is gone.
    mutating func closeUnseen(_ services: any SourceServices) {
        for (key, series) in open where series.round != round {
            services.closeSeries(series.handle)
            open[key] = nil
        }
        round &+= 1
    }

    private mutating func handle(of series: SeriesSpecification, _ services: any SourceServices) -> UInt64? {
        var key = series
        (key.start, key.meaning) = (nil, "")
        if let known = open[key], known.start == series.start {
            if known.round != round { open[key]?.round = round }
            return known.handle
        }
        // A count that began anew is another count.
        if let former = open.removeValue(forKey: key) { services.closeSeries(former.handle) }
        let handle = services.openSeries(series)
        guard handle != 0 else { return nil }
        open[key] = Open(handle: handle, start: series.start, round: round)
        return handle
    }
}
