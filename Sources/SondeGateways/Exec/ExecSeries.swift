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

    /// The samples of the first points, which are removed; series that are new are opened.
    ///
    /// A point of a count that began anew closes the series of the former: it stays for the next call, where there are others
    /// before it.
    mutating func samples(of points: inout ArraySlice<LinePoint>, _ services: any SourceServices) -> [Sample] {
        var samples: [Sample] = []
        samples.reserveCapacity(points.count)
        while let point = points.first {
            guard samples.isEmpty || !beginsAnew(point.series) else { break }
            points.removeFirst()
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

    private func beginsAnew(_ series: SeriesSpecification) -> Bool {
        open[Self.key(series)].map { $0.start != series.start } ?? false
    }

    private static func key(_ series: SeriesSpecification) -> SeriesSpecification {
        var key = series
        (key.start, key.meaning) = (nil, "")
        return key
    }

    private mutating func handle(of series: SeriesSpecification, _ services: any SourceServices) -> UInt64? {
        let key = Self.key(series)
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
