internal import CSondePlugin
internal import SondeDomain

/// One series in the contract's layout, with everything it points to in one block.
///
/// A struct, so that those of a batch lie side by side: only the block is elsewhere.
// Unchecked: nobody writes to the block after it was made.
struct SeriesRecord: @unchecked Sendable {
    /// What the record describes.
    let series: Series
    /// Valid as long as this value is.
    let record: sonde_batch_series
    private let block: Block

    init(_ series: Series, meaning: String) {
        self.series = series
        let pairs = series.attributes.count + series.labels.count
        let texts = [series.name, series.unit, series.source, meaning]
        let textSize = (series.attributes + series.labels).reduce(texts.reduce(0) { $0 + $1.utf8.count + 1 }) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 2
        }
        let pairSize = pairs * MemoryLayout<sonde_attribute>.stride
        block = Block(size: pairSize + textSize)
        var writer = Writer(
            pair: block.start.bindMemory(to: sonde_attribute.self, capacity: pairs),
            text: (block.start + pairSize).bindMemory(to: CChar.self, capacity: textSize)
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

    /// Memory that lives as long as it is referred to.
    private final class Block {
        let start: UnsafeMutableRawPointer

        init(size: Int) {
            start = .allocate(byteCount: size, alignment: MemoryLayout<sonde_attribute>.alignment)
        }

        deinit {
            start.deallocate()
        }
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
