internal import CSondePlugin
internal import SondeDomain

extension Batch {
    /// The contract's batch in the domain's terms, copied.
    init(_ batch: sonde_batch, _ cache: inout SeriesCache) {
        var series: [Series] = []
        series.reserveCapacity(batch.series_count)
        cache.beginBatch()
        for index in 0..<batch.series_count {
            guard let record = element(of: batch.series, index, stride: batch.series?.pointee.struct_size) else {
                break
            }
            series.append(cache.series(record.pointee))
        }
        self.init(
            identity: BatchIdentity(
                agent: String(batch.agent_id),
                epoch: String(batch.epoch),
                first: batch.first_sequence,
                last: batch.last_sequence
            ),
            sink: String(batch.sink_id),
            attempt: Int(batch.attempt),
            host: batch.host_name.size > 0 ? String(batch.host_name) : nil,
            series: series,
            entries: Batch.entries(batch, series),
            documents: Batch.documents(batch)
        )
    }

    private static func entries(_ batch: sonde_batch, _ series: [Series]) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(batch.point_count)
        for index in 0..<batch.point_count {
            guard
                let record = element(of: batch.points, index, stride: batch.points?.pointee.struct_size)?.pointee,
                series.indices.contains(Int(record.series_index)),
                let value = SampleValue(record.value_type, record.value)
            else { continue }
            let point = MetricPoint(
                series: series[Int(record.series_index)].id,
                time: Timestamp(nanoseconds: record.time_ns),
                start: record.start_time_ns == Int64(SONDE_TIME_UNKNOWN)
                    ? nil : Timestamp(nanoseconds: record.start_time_ns),
                value: value
            )
            entries.append(Entry(seriesIndex: Int(record.series_index), point: point))
        }
        return entries
    }

    private static func documents(_ batch: sonde_batch) -> [Document] {
        (0..<batch.document_count).compactMap { index in
            let stride = batch.documents?.pointee.struct_size
            guard let record = element(of: batch.documents, index, stride: stride)?.pointee else { return nil }
            let json = UnsafeRawBufferPointer(start: record.json.data, count: record.json.size)
            return Document(
                schema: String(record.schema),
                time: Timestamp(nanoseconds: record.time_ns),
                json: [UInt8](json)
            )
        }
    }
}
