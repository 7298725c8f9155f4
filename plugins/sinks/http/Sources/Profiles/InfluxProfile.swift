internal import SondeDomain
internal import SondeFormats

extension Profile {
    /// InfluxDB line protocol, for InfluxDB, VictoriaMetrics, Telegraf and their kind.
    static let influx = Profile(
        format: "influx",
        meaning: "InfluxDB line protocol with times in nanoseconds",
        makeSession: { _ in LineSession(.influx, reader: InfluxAnswer.read) },
        rules: [
            StatusRule(
                404, .failed(.accessRefused), "The database or bucket does not exist.",
                "Check db, or org and bucket, in the query of url, and its path.")
        ]
    )
}

/// The answer of InfluxDB 1.x to a batch of which it took a part.
enum InfluxAnswer {
    /// `{"error":"partial write: points beyond retention policy dropped=2"}` with status 400: the others are written.
    static func read(_ transfer: Transfer) -> Profile.Reading? {
        guard transfer.status == 400, transfer.body.bytes.hasPart("partial write:") else { return nil }
        let mark = Array("dropped=".utf8)
        let body = transfer.body.bytes[...]
        guard let start = body.indices.last(where: { body[$0...].starts(with: mark) }) else { return nil }
        let digits = body[(start + mark.count)...].prefix { (0x30...0x39).contains($0) }
        guard let count = UInt64(String(decoding: digits, as: UTF8.self)) else { return nil }
        return .delivered(rejected: count, reason: "partial write: \(count) points were dropped")
    }
}
