import Foundation

/// The last sample of each field of each series as servers of line protocol have it, from lines of JSON.
enum LinePage {
    private struct Line: Decodable {
        var time: String
        var name: String
        var value: Double?
        var count: Double?
        var sum: Double?
        var bounds: [Double]?
        var counts: [Double]?
        var attributes: [String: String]?
        var labels: [String: String]?
        var host: String?

        var tags: [String: String] {
            let labels = (labels ?? [:]).merging(host.map { ["host": $0] } ?? [:]) { first, _ in first }
            return (attributes ?? [:]).merging(labels) { first, _ in first }
        }

        var fields: [(String, Double)] {
            if let value { return [("value", value)] }
            guard let count, let bounds, let counts else { return [] }
            var cumulated = 0.0
            let buckets = zip(bounds, counts).map { bound, count in
                cumulated += count
                return ("bucket_\(bound)", cumulated)
            }
            return [("count", count), ("bucket_+Inf", count)] + buckets + (sum.map { [("sum", $0)] } ?? [])
        }
    }

    static func key(_ name: String, _ field: String, _ tags: [String: String]) -> String {
        MetricServer.key(tags.merging(["__name__": "\(name)_\(field)"]) { $1 })
    }

    /// The last samples of lines that are points.
    static func lastSamples(_ lines: [Substring]) throws -> [String: MetricServer.Sample] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var samples: [String: MetricServer.Sample] = [:]
        for text in lines where text.hasPrefix(#"{"time""#) {
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            let time = Int64((try style.parse(line.time).timeIntervalSince1970 * 1_000).rounded())
            for (field, value) in line.fields {
                samples[key(line.name, field, line.tags)] = MetricServer.Sample(milliseconds: time, value: value)
            }
        }
        return samples
    }
}
