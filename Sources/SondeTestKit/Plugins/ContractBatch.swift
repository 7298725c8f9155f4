internal import CSondePlugin
internal import SondeDomain

/// A domain batch in the contract's layout, for as long as it lives.
final class ContractBatch {
    let pointer: UnsafeMutablePointer<sonde_batch>
    private var series: [sonde_batch_series] = []
    private var points: [sonde_point] = []
    private var documents: [sonde_document] = []
    private var blocks: [UnsafeMutableRawPointer] = []
    private let edge = MemoryEdge()

    init(_ batch: Batch, version: FakeHost.Version = .current) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: sonde_batch())
        series = batch.series.map(contract)
        points = batch.entries.map(contract)
        documents = batch.documents.map(contract)
        fill(batch)
        if version == .first { shortenSeries() }
    }

    /// The table of series as a host of version 1.0 has it.
    private func shortenSeries() {
        let size = Int(SONDE_SIZE_1_0_BATCH_SERIES)
        var bytes: [UInt8] = []
        for var series in series {
            series.struct_size = UInt32(size)
            bytes += withUnsafeBytes(of: series) { Array($0.prefix(size)) }
        }
        pointer.pointee.series = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { start in
                UnsafePointer(edge.place(start, count: bytes.count).assumingMemoryBound(to: sonde_batch_series.self))
            }
        }
    }

    deinit {
        pointer.deallocate()
        for block in blocks { block.deallocate() }
    }

    private func fill(_ batch: Batch) {
        pointer.pointee.struct_size = UInt32(MemoryLayout<sonde_batch>.size)
        pointer.pointee.attempt = UInt32(clamping: batch.attempt)
        pointer.pointee.agent_id = keep(batch.identity.agent)
        pointer.pointee.epoch = keep(batch.identity.epoch)
        pointer.pointee.first_sequence = batch.identity.first
        pointer.pointee.last_sequence = batch.identity.last
        pointer.pointee.sink_id = keep(batch.sink)
        pointer.pointee.resource = keep([contract(batch.resource)])
        pointer.pointee.series = keep(series)
        pointer.pointee.series_count = series.count
        pointer.pointee.points = keep(points)
        pointer.pointee.point_count = points.count
        pointer.pointee.documents = keep(documents)
        pointer.pointee.document_count = documents.count
    }

    private func contract(_ series: Series) -> sonde_batch_series {
        sonde_batch_series(
            struct_size: UInt32(MemoryLayout<sonde_batch_series>.size),
            kind: series.kind.rawValue,
            id: series.id.rawValue,
            name: keep(series.name),
            unit: keep(series.unit),
            attributes: keep(series.attributes.map(contract)),
            attribute_count: series.attributes.count,
            labels: keep(series.labels.map(contract)),
            label_count: series.labels.count,
            source_id: keep(series.source),
            meaning: keep(series.meaning)
        )
    }

    private func contract(_ resource: Resource) -> sonde_resource {
        sonde_resource(
            struct_size: UInt32(MemoryLayout<sonde_resource>.size),
            reserved: 0,
            host_name: keep(resource.host ?? ""),
            agent_version: keep(resource.agentVersion),
            labels: keep(resource.labels.map(contract)),
            label_count: resource.labels.count
        )
    }

    private func contract(_ pair: Attribute) -> sonde_attribute {
        sonde_attribute(
            struct_size: UInt32(MemoryLayout<sonde_attribute>.size),
            reserved: 0,
            name: keep(pair.name),
            value: keep(pair.value)
        )
    }

    private func contract(_ entry: Batch.Entry) -> sonde_point {
        var point = sonde_point()
        point.struct_size = UInt32(MemoryLayout<sonde_point>.size)
        point.series_index = UInt32(clamping: entry.seriesIndex)
        point.time_ns = entry.point.time.nanoseconds
        point.start_time_ns = entry.point.start?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN)
        switch entry.point.value {
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
            point.value.histogram = keep([contract(value)])
        case .ended:
            point.value_type = UInt32(SONDE_VALUE_NONE)
            point.flags = SONDE_POINT_END
        }
        return point
    }

    private func contract(_ histogram: HistogramValue) -> sonde_histogram {
        sonde_histogram(
            struct_size: UInt32(MemoryLayout<sonde_histogram>.size),
            bound_count: UInt32(histogram.bounds.count),
            bounds: keep(histogram.bounds),
            counts: keep(histogram.counts),
            count: histogram.count,
            sum: histogram.sum ?? .nan
        )
    }

    private func contract(_ document: Document) -> sonde_document {
        sonde_document(
            struct_size: UInt32(MemoryLayout<sonde_document>.size),
            reserved: 0,
            schema: keep(document.schema),
            json: sonde_string(data: keep(document.json.map(CChar.init(bitPattern:)) + [0]), size: document.json.count),
            time_ns: document.time.nanoseconds
        )
    }

    private func keep(_ text: String) -> sonde_string {
        sonde_string(data: keep(text.utf8.map(CChar.init(bitPattern:)) + [0]), size: text.utf8.count)
    }

    private func keep<Element>(_ array: [Element]) -> UnsafePointer<Element> {
        let block = UnsafeMutablePointer<Element>.allocate(capacity: max(1, array.count))
        block.initialize(from: array, count: array.count)
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }
}
