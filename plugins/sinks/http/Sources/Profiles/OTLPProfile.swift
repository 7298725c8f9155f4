internal import SondeDomain
internal import SondeFormats

extension Profile {
    /// OpenTelemetry's protocol over HTTP, for the OpenTelemetry Collector, VictoriaMetrics, Mimir and their kind.
    static let otlp = Profile(
        format: "otlp",
        meaning: "OTLP/HTTP in protobuf or JSON",
        makeSession: { OTLPSession($0) },
        compressions: [.gzip, .none],
        // No receiver reads it.
        namesBatches: false,
        marksEnds: true,
        // https://opentelemetry.io/docs/specs/otlp/#otlphttp-response: what is longer is not asked for again.
        answer: AnswerLimits(bytes: 4 << 20),
        rules: rulesOfOTLP,
        text: { OTLPAnswer.message(ofStatus: $0) }
    )

    // https://opentelemetry.io/docs/specs/otlp/#failures-1: 429, 502, 503 and 504 are sent again and nothing else. What a person
    // has to put right holds the batch all the same, as with every format.
    private static let held = [401, 403, 405, 407, 410, 413, 415, 429, 502, 503, 504]
    private static let rulesOfOTLP =
        [
            StatusRule(
                400, .failed(.permanentData), "The receiver refuses the metrics.",
                "Check that the path of url is that of metrics, most often /v1/metrics."),
            StatusRule(
                404, .failed(.accessRefused), "The receiver takes no OTLP at this path.",
                "Check the path of url: most often it is /v1/metrics, on port 4318."),
        ] + StatusRule.common.filter { $0.statuses.count == 1 && held.contains($0.statuses.lowerBound) } + [
            StatusRule(
                400...599, .failed(.permanentData), "The receiver refuses the metrics for good.",
                "OTLP forbids to send them again: look at the receiver's log.")
        ]
    fileprivate static let endlessAnswer = StatusRule(
        0...999, .failed(.permanentData), "The receiver's answer is too long.",
        "The answer is longer than 4 MiB: look at what answers at url.")
}

/// OTLP with one receiver: whether it has ever taken a point.
struct OTLPSession: ProfileSession {
    var contentType: String { encoding == .json ? "application/json" : "application/x-protobuf" }
    var headers: [HeaderField] { [] }
    private let encoding: OTLPEncoding
    private var encoder: any BatchEncoder
    /// Where the receiver takes differences alone.
    private var deltas: OTLPDeltas?
    /// Then a refusal is about points, not about the address.
    private var hasTaken = false

    init(_ settings: ProfileSettings) {
        encoding = settings.encoding
        deltas = settings.temporality == .delta ? OTLPDeltas(since: settings.began) : nil
        let settings = OTLPSettings(
            serviceName: settings.target.job, resourceToAttributes: settings.resourceToAttributes,
            temporality: settings.temporality)
        encoder = encoding == .json ? OTLPJSONEncoder(settings) : OTLPEncoder(settings)
    }

    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        guard let (differences, leftOut) = deltas?.differences(in: batch) else {
            return encoder.encode(batch, into: &buffer)
        }
        var report = encoder.encode(differences, into: &buffer)
        report.leftOut += leftOut
        // Nothing is sent then: what was left out is what the next points are compared to.
        if buffer.isEmpty { deltas?.acknowledge() }
        return report
    }

    mutating func read(_ transfer: Transfer, of batch: Batch, _ report: EncodingReport) -> Profile.Reading? {
        guard let status = transfer.status, !transfer.isProxyStatus else { return nil }
        if (200...299).contains(status) {
            return readSuccess(OTLPAnswer(transfer.body.bytes), report)
        }
        if transfer.isCutOff, [429, 502, 503, 504].contains(status) { return .judged(Profile.endlessAnswer) }
        guard hasTaken, [400, 409, 422].contains(status) else { return nil }
        return .refused(UInt64(batch.entries.count &- report.leftOut))
    }

    private mutating func readSuccess(_ answer: OTLPAnswer, _ report: EncodingReport) -> Profile.Reading? {
        // Also where it has refused some: which ones it does not say, and they are counted.
        deltas?.acknowledge()
        let rejected = min(answer.rejectedPoints, UInt64(report.lines))
        if rejected < report.lines { hasTaken = true }
        guard !answer.isComplete else { return nil }
        let words = String(decoding: answer.message, as: UTF8.self)
        guard rejected > 0 else { return .delivered(rejected: 0, reason: "the receiver warns: \(words)") }
        return .delivered(
            rejected: rejected, reason: "the receiver has refused \(rejected) of \(report.lines) data points: \(words)")
    }
}
