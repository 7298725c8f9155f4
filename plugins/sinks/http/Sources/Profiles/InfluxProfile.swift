internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

extension Profile {
    /// InfluxDB line protocol, for InfluxDB, VictoriaMetrics, Telegraf and their kind.
    static let influx = Profile(
        format: "influx",
        meaning: "InfluxDB line protocol with times in nanoseconds",
        makeSession: { _ in InfluxSession() },
        checkEndpoint: InfluxSession.check,
        rules: [
            StatusRule(
                404, .failed(.accessRefused), "The database or bucket does not exist.",
                "Check db, or org and bucket, in the query of url, and its path.")
        ]
    )
}

/// Line protocol with one receiver: whether it has ever taken a point.
struct InfluxSession: ProfileSession {
    let contentType = LineFormat.influx.contentType
    var headers: [HeaderField] { [] }
    private var encoder = InfluxLineEncoder()
    /// Then a refusal is about points, not about the address.
    private var hasTaken = false

    // InfluxDB 1.x takes a precision that it does not know for nanoseconds, and 2.x names them otherwise.
    @Sendable static func check(_ endpoint: Endpoint) throws(PluginError) {
        let other = endpoint.parameters.first { $0.name == "precision" && $0.value != "ns" && $0.value != "n" }
        guard other != nil else { return }
        throw .refused(
            .address, "url asks for a precision other than nanoseconds, which lines have",
            hint: "Remove precision from the query of url.", option: "url")
    }

    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        encoder.encode(batch, into: &buffer)
    }

    mutating func read(_ transfer: Transfer, of batch: Batch, _ report: EncodingReport) -> Profile.Reading? {
        guard let status = transfer.status, !transfer.isProxyStatus else { return nil }
        if (200...299).contains(status) { hasTaken = true }
        guard status == 400 || status == 422 else { return nil }
        let sent = UInt64(report.lines)
        if let count = PartialWrite.dropped(status, transfer.body.bytes) {
            hasTaken = true
            return .refused(min(count, sent), words: PartialWrite.complaint(transfer.body))
        }
        // It has written nothing: one line that it cannot read is enough for 2.x.
        return hasTaken ? .refused(sent) : nil
    }
}

/// The answer of InfluxDB to a batch of which it took a part.
enum PartialWrite {
    private static let mark = "partial write:"
    private static let count = Array("dropped=".utf8)
    private static let unread = Array("unable to parse '".utf8)

    /// How many points are not written while the others are, at least; nil: the answer is none of that kind.
    ///
    /// `{"error":"partial write: points beyond retention policy dropped=2"}` has status 400 in 1.x, and 422 means it in
    /// 2.x. 1.x counts no lines that it cannot parse, and quotes each.
    static func dropped(_ status: Int, _ body: [UInt8]) -> UInt64? {
        guard status == 422 || body.hasPart(mark) else { return nil }
        let named = body.indices.last { body[$0...].starts(with: count) }.flatMap { start in
            let digits = body[(start + count.count)...].prefix { (0x30...0x39).contains($0) }
            return UInt64(String(decoding: digits, as: UTF8.self))
        }
        // Of a body that was cut, how many is not known.
        guard named != nil || status == 422 else { return nil }
        if let named, named > 0 { return named }
        let quotes = body.indices.count { body[$0...].starts(with: unread) }
        return UInt64(max(1, quotes))
    }

    /// What it says of the first of them: a message has no room for all of its answer.
    static func complaint(_ body: ReceivedText) -> ReceivedText? {
        body.bytes.indices.first { body.bytes[$0...].starts(with: mark.utf8) }.map(body.dropFirst)
    }
}
