internal import SondeDomain

/// The batches that sinks are tested with.
enum TestBatches {
    private static let time = Timestamp(seconds: 1_767_225_600)
    private static let start = Timestamp(seconds: 1_767_139_200)

    /// Two points of one interface.
    static var usual: Batch { usual(number: 0) }

    /// The same points in one of many batches.
    static func usual(number: UInt64) -> Batch {
        batch(
            [
                (series(1, "acme.test.io", .counter, "By"), .unsigned(4_096)),
                (series(2, "acme.test.load", .gauge, "1"), .double(0.5)),
            ], first: number &* 2 &+ 1)
    }

    /// No points, as after a batch of which a sink wanted none.
    static var empty: Batch { batch([]) }

    /// Every type of value at its edges, of every kind of metric; `ends`: also the end of a series.
    static func everyValue(ends: Bool) -> Batch {
        var points: [(Series, SampleValue)] = [
            (series(1, "acme.test.io", .counter, "By"), .unsigned(.max)),
            (series(2, "acme.test.queue", .upDown, "{packet}"), .signed(.min)),
            (series(3, "acme.test.queue.limit", .upDown, "{packet}"), .signed(.max)),
            (series(4, "acme.test.load", .gauge, "1"), .double(-Double.greatestFiniteMagnitude)),
            (series(5, "acme.test.smallest", .gauge, "s"), .double(.leastNonzeroMagnitude)),
            (series(6, "acme.test.zero", .gauge, ""), .double(-0.0)),
            (series(7, "acme.test.version", .info, ""), .unsigned(1)),
        ]
        let histograms = [
            HistogramValue(bounds: [0.001, 0.1, 1], counts: [5, 0, 2, 1], sum: 12.5),
            HistogramValue(bounds: [], counts: [3], sum: nil),
        ]
        for (index, value) in histograms.enumerated() {
            guard let value else { continue }
            points.append((series(8 + index, "acme.test.duration\(index)", .histogram, "s"), .histogram(value)))
        }
        if ends { points.append((series(10, "acme.test.gone", .gauge, ""), .ended)) }
        return batch(points)
    }

    /// Texts that a careless encoder would break on: quotes, line breaks, other scripts, the longest that there are.
    static var hostile: Batch {
        let values = [
            "", "a\"b", "a\nb\r\nc", "a,b=c d", #"a\"#, "${HOME} $(id) %s %n", "\u{1}\u{7f}", "\u{202e}x\u{0}y",
            "日本語 🦆",
            String(repeating: "x", count: 1_024), "</script><!--", "{}", "\\x00",
        ]
        return batch(
            values.enumerated().map { index, value in
                let pairs = [Attribute("network.interface.name", value), Attribute("acme.index", "\(index)")]
                return (series(20 + index, "acme.test.io", .counter, "By", pairs), .unsigned(UInt64(index)))
            })
    }

    private static func series(
        _ id: Int, _ name: String, _ kind: MetricKind, _ unit: String,
        _ attributes: [Attribute] = [Attribute("network.interface.name", "eth0")]
    ) -> Series {
        Series(
            id: SeriesID(rawValue: UInt64(id)), source: "test", name: name, kind: kind, unit: unit,
            attributes: attributes, labels: [Attribute("site", "lab")])
    }

    private static func batch(_ points: [(series: Series, value: SampleValue)], first: UInt64 = 1) -> Batch {
        Batch(
            identity: BatchIdentity(
                agent: "00000000-0000-4000-8000-000000000001", epoch: "test", first: first,
                last: first &+ UInt64(max(1, points.count) - 1)),
            sink: "test",
            resource: Resource(host: "test-host", agentVersion: "1.0.0", labels: [Attribute("env", "test")]),
            series: points.map(\.series),
            entries: points.enumerated().map { index, point in
                let isCount = point.series.kind == .counter || point.series.kind == .histogram
                return Batch.Entry(
                    seriesIndex: index,
                    point: MetricPoint(
                        series: point.series.id, time: time, start: isCount ? start : nil, value: point.value))
            })
    }
}
