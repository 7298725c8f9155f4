internal import CSondePlugin
internal import SondeDomain

/// One series in the contract's layout, with everything it points to in one block; several sinks share it.
// Unchecked: nobody writes to the block after it was made.
final class SeriesRecord: @unchecked Sendable {
    /// What the record describes.
    let series: Series
    /// The description of its metric, which may be learned later.
    let meaning: String
    /// Valid as long as this object is.
    let record: sonde_batch_series
    private let block: UnsafeMutableRawPointer

    init(_ series: Series, meaning: String) {
        self.series = series
        self.meaning = meaning
        let pairs = series.attributes.count + series.labels.count
        let texts = [series.name, series.unit, series.source, meaning]
        let textSize = (series.attributes + series.labels).reduce(texts.reduce(0) { $0 + $1.utf8.count + 1 }) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 2
        }
        let pairSize = pairs * MemoryLayout<sonde_attribute>.stride
        block = .allocate(byteCount: pairSize + textSize, alignment: MemoryLayout<sonde_attribute>.alignment)
        var writer = Writer(
            pair: block.bindMemory(to: sonde_attribute.self, capacity: pairs),
            text: (block + pairSize).bindMemory(to: CChar.self, capacity: textSize)
        )
        record = sonde_batch_series(
            struct_size: UInt32(MemoryLayout<sonde_batch_series>.size),
            kind: series.kind.rawValue,
            id: series.id.rawValue,
            name: writer.add(series.name),
            unit: writer.add(series.unit),
            attributes: writer.add(series.attributes),
            attribute_count: series.attributes.count,
            labels: writer.add(series.labels),
            label_count: series.labels.count,
            source_id: writer.add(series.source),
            meaning: writer.add(meaning)
        )
    }

    deinit {
        block.deallocate()
    }

    /// Fills the block; its owner has computed the size from the same strings.
    private struct Writer {
        var pair: UnsafeMutablePointer<sonde_attribute>
        var text: UnsafeMutablePointer<CChar>

        mutating func add(_ string: String) -> sonde_string {
            let start = text
            for byte in string.utf8 {
                text.initialize(to: CChar(bitPattern: byte))
                text += 1
            }
            text.initialize(to: 0)
            text += 1
            return sonde_string(data: start, size: text - start - 1)
        }

        mutating func add(_ attributes: [Attribute]) -> UnsafePointer<sonde_attribute>? {
            guard !attributes.isEmpty else { return nil }
            let start = pair
            for attribute in attributes {
                pair.initialize(
                    to: sonde_attribute(
                        struct_size: UInt32(MemoryLayout<sonde_attribute>.size),
                        reserved: 0,
                        name: add(attribute.name),
                        value: add(attribute.value)
                    )
                )
                pair += 1
            }
            return UnsafePointer(start)
        }
    }
}
