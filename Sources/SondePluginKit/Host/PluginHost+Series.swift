internal import CSondePlugin
public import SondeDomain

/// Names a series of this instance in samples.
public struct SeriesHandle: Hashable, Sendable {
    let raw: UInt64

    /// Whether the host refused the series: its bound was reached.
    ///
    /// Samples with such a handle are left out and counted.
    public var isRefused: Bool { raw == 0 }
}

/// How wide a kernel counter is, when that is known.
public enum CounterWidth: UInt32, Hashable, Sendable {
    /// Not known: a decrease is a reset.
    case unknown = 0
    /// 32 bits: may wrap.
    case bits32 = 32
    /// 64 bits.
    case bits64 = 64
}

extension PluginHost {
    /// Opens a series of the metric catalog.
    ///
    /// The same name and attributes give the same handle. `level` nil: that of the metric in the catalog.
    public func openSeries(
        _ metric: MetricDefinition,
        _ attributes: [Attribute] = [],
        start: Timestamp? = nil,
        width: CounterWidth = .unknown,
        level: MetricLevel? = nil
    ) -> SeriesHandle {
        guard let open = raw.pointee.series_open else { return SeriesHandle(raw: 0) }
        let arena = StringArena()
        let pairs = attributes.map { pair in
            sonde_attribute(
                struct_size: UInt32(MemoryLayout<sonde_attribute>.size),
                reserved: 0,
                name: arena.store(pair.name),
                value: arena.store(pair.value)
            )
        }
        let handle = pairs.withUnsafeBufferPointer { pairs in
            var series = sonde_series()
            series.struct_size = UInt32(MemoryLayout<sonde_series>.size)
            series.kind = metric.kind.rawValue
            series.name = arena.store(metric.name)
            series.unit = arena.store(metric.unit)
            series.attributes = pairs.baseAddress
            series.attribute_count = pairs.count
            series.start_time_ns = start?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN)
            series.counter_bits = width.rawValue
            series.meaning = arena.store(metric.meaning)
            series.level = level?.number ?? 0
            return open(raw, &series)
        }
        return withExtendedLifetime(arena) { SeriesHandle(raw: handle) }
    }

    /// Closes a series whose thing is gone.
    ///
    /// The handle is dead after that.
    public func closeSeries(_ handle: SeriesHandle) {
        raw.pointee.series_close?(raw, handle.raw)
    }
}
