internal import CSondePlugin
internal import SondeDomain

/// The series that a sink was handed lately, by their process-stable id: made once, not for every batch.
///
/// Series may come and go without end: those that no batch names for long are forgotten.
struct SeriesCache {
    // Of all sinks with this copy of the kit: they are made by calls of the contract, and nothing between those could hold it.
    private static let ofAllSinks = SharedBySeries<Series>()

    private let shared: SharedBySeries<Series>
    private var known = RecentSeries<Series>()
    private var texts = SharedTexts()

    /// No series yet; `shared` has those of other sinks.
    init(shared: SharedBySeries<Series> = ofAllSinks) {
        self.shared = shared
    }

    /// How many series are kept.
    var count: Int { known.count }

    /// Begins a batch of so many series.
    mutating func beginBatch(of count: Int) {
        shared.beginBatch()
        known.removeStale()
        known.beginBatch(of: count)
    }

    /// The series that a batch's table describes; another sink's where that is the same.
    mutating func series(_ record: sonde_batch_series) -> Series {
        let id = SeriesID(rawValue: record.id)
        if let index = known.index(of: id) { return known[index] }
        let series = shared.value(of: id) {
            $0.isDescribed(by: record)
        } make: {
            make(id, record)
        }
        known.add(series, for: id)
        return series
    }

    private mutating func make(_ id: SeriesID, _ record: sonde_batch_series) -> Series {
        Series(
            id: id,
            source: texts.text(record.source_id),
            name: texts.text(record.name),
            kind: MetricKind(rawValue: record.kind) ?? .gauge,
            unit: texts.text(record.unit),
            attributes: texts.attributes(record.attributes, count: record.attribute_count),
            labels: texts.labels(record.labels, count: record.label_count),
            meaning: texts.text(record.meaning)
        )
    }
}

extension Series {
    /// Whether a record says the same; not where its attributes are in another order, or text is no UTF-8.
    fileprivate func isDescribed(by record: sonde_batch_series) -> Bool {
        kind.rawValue == record.kind && name.isEqual(record.name) && unit.isEqual(record.unit)
            && source.isEqual(record.source_id) && meaning.isEqual(record.meaning)
            && Self.areEqual(attributes, record.attributes, record.attribute_count)
            && Self.areEqual(labels, record.labels, record.label_count)
    }

    private static func areEqual(
        _ own: [Attribute], _ first: UnsafePointer<sonde_attribute>?, _ count: Int
    ) -> Bool {
        guard own.count == count, let records = ContractArray(first, count: count) else { return false }
        return zip(own, records).allSatisfy { own, record in
            record.map { own.name.isEqual($0.name) && own.value.isEqual($0.value) } ?? false
        }
    }
}

extension String {
    fileprivate func isEqual(_ string: sonde_string) -> Bool {
        guard let data = string.data, string.size > 0 else { return isEmpty }
        return utf8.elementsEqual(UnsafeRawBufferPointer(start: data, count: string.size))
    }
}
