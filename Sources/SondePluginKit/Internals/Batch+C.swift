internal import CSondePlugin
internal import SondeDomain

extension Batch {
    /// The contract's batch in the domain's terms, copied; into the memory of `entries`, of the batch before.
    init(_ batch: sonde_batch, _ cache: inout SeriesCache, _ entries: inout [Entry]) {
        var series: [Series] = []
        series.reserveCapacity(batch.series_count)
        cache.beginBatch(of: batch.series_count)
        for record in ContractArray(batch.series, count: batch.series_count) ?? .empty {
            guard let record else { break }
            series.append(cache.series(record))
        }
        Batch.fill(&entries, batch, series)
        self.init(
            identity: BatchIdentity(
                agent: String(batch.agent_id),
                epoch: String(batch.epoch),
                first: batch.first_sequence,
                last: batch.last_sequence
            ),
            sink: String(batch.sink_id),
            attempt: Int(batch.attempt),
            resource: Resource(copying: batch.resource),
            series: series,
            entries: entries,
            documents: Batch.documents(batch)
        )
    }

    private static func fill(_ entries: inout [Entry], _ batch: sonde_batch, _ series: [Series]) {
        entries.removeAll(keepingCapacity: true)
        entries.reserveCapacity(batch.point_count)
        for record in ContractArray(batch.points, count: batch.point_count) ?? .empty {
            guard let record, series.indices.contains(Int(record.series_index)) else { continue }
            let end: SampleValue? = record.flags & SONDE_POINT_END == 0 ? nil : .ended
            guard let value = end ?? SampleValue(record.value_type, record.value) else { continue }
            let point = MetricPoint(
                series: series[Int(record.series_index)].id,
                time: Timestamp(nanoseconds: record.time_ns),
                start: record.start_time_ns == Int64(SONDE_TIME_UNKNOWN)
                    ? nil : Timestamp(nanoseconds: record.start_time_ns),
                value: value
            )
            entries.append(Entry(seriesIndex: Int(record.series_index), point: point))
        }
    }

    private static func documents(_ batch: sonde_batch) -> [Document] {
        (ContractArray(batch.documents, count: batch.document_count) ?? .empty).compactMap { record in
            guard let record else { return nil }
            let json = UnsafeRawBufferPointer(start: record.json.data, count: record.json.size)
            return Document(
                schema: String(record.schema),
                time: Timestamp(nanoseconds: record.time_ns),
                json: [UInt8](json)
            )
        }
    }
}

extension Resource {
    fileprivate init(copying pointer: UnsafePointer<sonde_resource>?) {
        guard let record = sonde_resource(copying: pointer) else {
            self.init()
            return
        }
        self.init(
            host: record.host_name.size > 0 ? String(record.host_name) : nil,
            agentVersion: String(record.agent_version),
            labels: [Attribute](record.labels, count: record.label_count)
        )
    }
}

extension [Attribute] {
    /// A copy of the contract's attributes.
    init(_ first: UnsafePointer<sonde_attribute>?, count: Int) {
        self = (ContractArray(first, count: count) ?? .empty).compactMap { record in
            record.map { Attribute(String($0.name), String($0.value)) }
        }
    }
}
