import Foundation

/// One metric point as JSON output has it.
struct PointLine: Decodable {
    var time: String
    var name: String
    var kind: String
    var value: Double?
    var start: String?
    var attributes: [String: String]?
    var host: String?
    var labels: [String: String]?

    init(_ line: Substring) throws {
        self = try JSONDecoder().decode(PointLine.self, from: Data(line.utf8))
    }

    /// The points of a text.
    static func all(_ text: String) throws -> [PointLine] {
        try whole(text).map { try PointLine($0) }
    }

    /// The lines that have their line feed.
    static func whole(_ text: String) -> [Substring] {
        var text = text
        // By memchr: what waits for a line reads the file again and again, and without optimization split takes long.
        let feeds = text.withUTF8 { bytes in
            var feeds: [Int] = []
            guard let base = bytes.baseAddress else { return feeds }
            var start = 0
            while let feed = memchr(base + start, 0x0a, bytes.count - start) {
                let offset = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
                feeds.append(offset)
                start = offset + 1
            }
            return feeds
        }
        let starts = [0] + feeds.map { $0 + 1 }
        return zip(starts, feeds).map { start, feed in
            let first = text.utf8.index(text.startIndex, offsetBy: start)
            return text[first..<text.utf8.index(first, offsetBy: feed - start)]
        }
    }

    /// The different times of points in JSON, ascending.
    ///
    /// The time is the first member of every line, so that nothing needs to be parsed.
    static func times(_ lines: [Substring]) -> [String] {
        Set(lines.map { String($0.dropFirst(#"{"time":""#.count).prefix(24)) }).sorted()
    }

    /// The milliseconds between the times of points in JSON, ascending.
    static func gaps(_ lines: [Substring]) throws -> [Double] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let times = try times(lines).map { try style.parse($0).timeIntervalSince1970 }
        return zip(times.dropFirst(), times).map { ($0 - $1) * 1_000 }.sorted()
    }
}
