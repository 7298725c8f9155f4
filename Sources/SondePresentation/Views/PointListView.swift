public import SondeDomain

/// Spells the points of a batch as a table: what `sonde once` shows of a source without a snapshot.
public struct PointListView {
    private let batch: Batch

    /// A view of the points of `batch`.
    public init(_ batch: Batch) {
        self.batch = batch
    }

    /// Aligned columns, one line per point in the order of the batch; empty without points.
    public var text: String {
        guard !batch.entries.isEmpty else { return "" }
        var table = TextTable(["METRIC", "ATTRIBUTES", "VALUE", "UNIT"])
        for entry in batch.entries where batch.series.indices.contains(entry.seriesIndex) {
            let series = batch.series[entry.seriesIndex]
            let attributes = series.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            table.append([series.name, attributes, Self.value(entry.point.value), series.unit])
        }
        return table.lines().map(HarmlessText.line).joined(separator: "\n") + "\n"
    }

    private static func value(_ value: SampleValue) -> String {
        switch value {
        case .double(let number): "\(number)"
        case .signed(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .histogram(let histogram): "\(histogram.count) values"
        case .ended: "ended"
        }
    }
}
