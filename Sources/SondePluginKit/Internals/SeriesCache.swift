internal import CSondePlugin
internal import SondeDomain

/// The series that a sink has seen, by their process-stable id.
///
/// Bounded: when series come and go without end, the cache starts over.
struct SeriesCache {
    private static let bound = 65_536
    private var known: [UInt64: Series] = [:]

    /// The series that a batch's table describes.
    mutating func series(_ record: sonde_batch_series) -> Series {
        if let series = known[record.id] { return series }
        if known.count >= Self.bound { known.removeAll() }
        let series = Series(
            id: SeriesID(rawValue: record.id),
            source: String(record.source_id),
            name: String(record.name),
            kind: MetricKind(rawValue: record.kind) ?? .gauge,
            unit: String(record.unit),
            attributes: attributes(record.attributes, record.attribute_count),
            labels: attributes(record.labels, record.label_count)
        )
        known[record.id] = series
        return series
    }

    private func attributes(_ first: UnsafePointer<sonde_attribute>?, _ count: Int) -> [Attribute] {
        (0..<count).compactMap { index in
            guard let record = element(of: first, index, stride: first?.pointee.struct_size) else { return nil }
            return Attribute(String(record.pointee.name), String(record.pointee.value))
        }
    }
}

/// The element at `index` of an array whose elements may be larger than this side knows them.
func element<Element>(of first: UnsafePointer<Element>?, _ index: Int, stride: UInt32?) -> UnsafePointer<Element>? {
    guard let first, let stride else { return nil }
    return (UnsafeRawPointer(first) + index * Int(stride)).assumingMemoryBound(to: Element.self)
}
