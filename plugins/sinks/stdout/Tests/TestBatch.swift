import Foundation
import SondeDomain

/// 2026-01-01T00:00:10Z.
let fixtureTime = Timestamp(seconds: 1_767_225_610)

extension Batch {
    /// A batch of these documents.
    static func documents(_ documents: String..., first: UInt64 = 1) -> Batch {
        Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: first, last: first),
            sink: "console",
            resource: Resource(host: "web-1"),
            documents: documents.map {
                Document(schema: "sonde.snapshot/1", time: fixtureTime, json: Array($0.utf8))
            }
        )
    }

    /// A batch of so many points of one counter.
    static func points(_ count: Int, first: UInt64 = 1) -> Batch {
        let series = Series(
            id: SeriesID(rawValue: 1),
            source: "kernel",
            name: "system.network.io",
            kind: .counter,
            unit: "By",
            attributes: [Attribute("network.interface.name", "lo")]
        )
        let entries = (0..<count).map { index in
            let point = MetricPoint(series: series.id, time: fixtureTime, value: .unsigned(first + UInt64(index)))
            return Entry(seriesIndex: 0, point: point)
        }
        return Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: first, last: first + UInt64(count)),
            sink: "console",
            resource: Resource(host: "web-1"),
            series: [series],
            entries: entries
        )
    }
}

/// The text of a file beside the tests.
func fixture(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: "Fixtures/\(name)"), encoding: .utf8)
        .trimmingCharacters(in: .newlines)
}

/// The text of a file of the plugin's folder.
func pluginFile(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
}
