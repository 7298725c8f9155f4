internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

/// Lends batches to a sink in the contract's layout.
///
/// Only new series, histograms and documents are copied; memory of large batches is kept for the next one (`forReuse`).
struct BatchWriter {
    private(set) var known: SeriesRecords
    private var series: [sonde_batch_series] = []
    private var points: [sonde_point] = []
    private var documents: [sonde_document] = []

    /// A writer; `shared` has the records of other sinks, `meaning` returns the description of a metric.
    init(
        shared: SharedBySeries<SeriesRecord> = SharedBySeries(), meaning: @escaping (String) -> String = { _ in "" }
    ) {
        known = SeriesRecords(shared: shared, meaning: meaning)
    }

    /// Lends the batch for the length of `body`.
    mutating func withContractBatch<Result>(
        _ batch: Batch,
        _ body: (UnsafePointer<sonde_batch>) -> Result
    ) -> Result {
        let strings = ContractStrings()
        let histograms = HistogramRecords(batch.entries)
        fillSeries(batch)
        fillPoints(batch, histograms)
        documents = batch.documents.map { Self.record($0, strings) }
        defer { removeAll() }
        var record = Self.record(batch, strings)
        var resource = Self.record(batch.resource, strings)
        let labels = batch.resource.labels.map { Self.record($0, strings) }
        return withExtendedLifetime((strings, histograms)) {
            labels.withUnsafeBufferPointer { labels in
                resource.labels = labels.baseAddress
                resource.label_count = labels.count
                return withUnsafePointer(to: &resource) { resource in
                    record.resource = resource
                    return withArrays(of: &record, body)
                }
            }
        }
    }

    /// Lends the record with the arrays that it points to.
    private func withArrays<Result>(
        of record: inout sonde_batch,
        _ body: (UnsafePointer<sonde_batch>) -> Result
    ) -> Result {
        series.withUnsafeBufferPointer { series in
            points.withUnsafeBufferPointer { points in
                documents.withUnsafeBufferPointer { documents in
                    record.series = series.baseAddress
                    record.series_count = series.count
                    record.points = points.baseAddress
                    record.point_count = points.count
                    record.documents = documents.baseAddress
                    record.document_count = documents.count
                    return body(&record)
                }
            }
        }
    }

    private mutating func fillSeries(_ batch: Batch) {
        known.beginBatch(of: batch.series.count)
        series.reserveCapacity(batch.series.count)
        for item in batch.series { series.append(known.record(of: item)) }
    }

    private mutating func fillPoints(_ batch: Batch, _ histograms: HistogramRecords) {
        points.reserveCapacity(batch.entries.count)
        let (entries, series) = (batch.entries, batch.series.indices)
        for place in entries.indices where series.contains(entries[place].seriesIndex) {
            var point = sonde_point()
            point.struct_size = UInt32(MemoryLayout<sonde_point>.size)
            point.series_index = UInt32(clamping: entries[place].seriesIndex)
            point.time_ns = entries[place].point.time.nanoseconds
            point.start_time_ns = entries[place].point.start?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN)
            switch entries[place].point.value {
            case .double(let value):
                point.value_type = UInt32(SONDE_VALUE_DOUBLE)
                point.value.f64 = value
            case .signed(let value):
                point.value_type = UInt32(SONDE_VALUE_INT64)
                point.value.i64 = value
            case .unsigned(let value):
                point.value_type = UInt32(SONDE_VALUE_UINT64)
                point.value.u64 = value
            case .histogram(let value):
                point.value_type = UInt32(SONDE_VALUE_HISTOGRAM)
                point.value.histogram = histograms.store(value)
            case .ended:
                point.value_type = UInt32(SONDE_VALUE_NONE)
                point.flags = SONDE_POINT_END
            }
            points.append(point)
        }
    }

    // The arrays point into memory that is valid for one call only.
    private mutating func removeAll() {
        series = series.forReuse
        series.removeAll(keepingCapacity: true)
        points = points.forReuse
        points.removeAll(keepingCapacity: true)
        documents.removeAll()
    }

    private static func record(_ batch: Batch, _ strings: ContractStrings) -> sonde_batch {
        var record = sonde_batch()
        record.struct_size = UInt32(MemoryLayout<sonde_batch>.size)
        record.attempt = UInt32(clamping: batch.attempt)
        record.agent_id = strings.store(batch.identity.agent)
        record.epoch = strings.store(batch.identity.epoch)
        record.first_sequence = batch.identity.first
        record.last_sequence = batch.identity.last
        record.sink_id = strings.store(batch.sink)
        return record
    }

    private static func record(_ resource: Resource, _ strings: ContractStrings) -> sonde_resource {
        sonde_resource(
            struct_size: UInt32(MemoryLayout<sonde_resource>.size),
            reserved: 0,
            host_name: strings.store(resource.host ?? ""),
            agent_version: strings.store(resource.agentVersion),
            labels: nil,
            label_count: 0
        )
    }

    private static func record(_ label: Attribute, _ strings: ContractStrings) -> sonde_attribute {
        sonde_attribute(
            struct_size: UInt32(MemoryLayout<sonde_attribute>.size),
            reserved: 0,
            name: strings.store(label.name),
            value: strings.store(label.value)
        )
    }

    private static func record(_ document: Document, _ strings: ContractStrings) -> sonde_document {
        sonde_document(
            struct_size: UInt32(MemoryLayout<sonde_document>.size),
            reserved: 0,
            schema: strings.store(document.schema),
            json: document.json.withUnsafeBytes { strings.store($0) },
            time_ns: document.time.nanoseconds
        )
    }
}
