internal import SondeDomain
internal import SondeFormats

extension Profile {
    /// Prometheus remote write, for Prometheus, VictoriaMetrics, Mimir, Thanos and their kind.
    static let remoteWrite = Profile(
        format: "prometheus_remote_write",
        meaning: "Prometheus remote write 2.0 or 1.0",
        makeSession: { RemoteWriteSession($0) },
        compressions: [.snappy],
        // No receiver reads it, and with few series it is a tenth of a request.
        namesBatches: false,
        marksEnds: true,
        answer: AnswerLimits(headers: RemoteWriteSession.written),
        // https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/#retries-backoff: other 4xx are never sent again.
        rules: [
            StatusRule(
                400, .failed(.permanentData), "The receiver refuses the samples.",
                "Samples may be older than it takes: raise out_of_order_time_window there."),
            StatusRule(
                404, .failed(.accessRefused), "The receiver takes no remote write at this path.",
                "Check the path of url: Prometheus needs --web.enable-remote-write-receiver and /api/v1/write."),
            StatusRule(408, .failed(.permanentData), "The receiver gave up waiting for the request.", "Nothing."),
            StatusRule(425, .failed(.permanentData), "The receiver wants the request later.", "Nothing."),
            StatusRule(501, .unavailable, "The receiver cannot do what is asked.", "Check the path of url."),
            StatusRule(505, .unavailable, "The receiver refuses the version of HTTP.", "Check the path of url."),
        ]
    )
}

/// Remote write with one receiver: which version it takes, and what it has said about samples.
///
/// A receiver that knows 2.0 says how many samples it has written. One that does not may answer 204 to a body that it
/// cannot read, so a batch in 2.0 is delivered only with that number.
struct RemoteWriteSession: ProfileSession {
    private enum Version: String {
        case one = "0.1.0"
        case two = "2.0.0"
    }

    private static let samplesWritten = "x-prometheus-remote-write-samples-written"
    /// The fields of an answer that only a receiver of 2.0 sends.
    static let written: Set = [
        samplesWritten, "x-prometheus-remote-write-histograms-written",
        "x-prometheus-remote-write-exemplars-written",
    ]

    /// Statuses that are about samples where the receiver takes others.
    private static let refusals: Set = [400, 409, 422]

    private let isFixed: Bool
    private var version: Version
    /// Whether the receiver has ever sent one of ``written``.
    private var knowsTwo = false
    /// Whether it has ever taken a sample, or a request without one: then a refusal is about samples, not about the address.
    private var hasTaken = false
    /// Whether it was asked by a request without samples what its answer to the batch in hand means.
    private var hasAsked = false
    private var first: RemoteWriteEncoder
    private var second: RemoteWrite2Encoder

    init(_ settings: ProfileSettings) {
        isFixed = settings.version != .auto
        version = settings.version == .one ? .one : .two
        first = RemoteWriteEncoder(settings.target)
        second = RemoteWrite2Encoder(settings.target)
    }

    var contentType: String {
        switch version {
        case .one: "application/x-protobuf"
        case .two: "application/x-protobuf;proto=io.prometheus.write.v2.Request"
        }
    }

    var headers: [HeaderField] {
        [HeaderField(name: "X-Prometheus-Remote-Write-Version", value: version.rawValue)]
    }

    var emptyBody: [UInt8] {
        switch version {
        // No field at all.
        case .one: []
        // The empty symbol, which the first has to be.
        case .two: [0x22, 0x00]
        }
    }

    mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        hasAsked = false
        return switch version {
        case .one: first.encode(batch, into: &buffer)
        case .two: second.encode(batch, into: &buffer)
        }
    }

    mutating func read(_ transfer: Transfer, of batch: Batch, _ report: EncodingReport) -> Profile.Reading? {
        guard let status = transfer.status, !transfer.isProxyStatus else { return nil }
        let reading: Profile.Reading? =
            switch version {
            case .one: readOne(status)
            case .two: readTwo(status, transfer.head, batch, report)
            }
        if reading != nil { return reading }
        guard Self.refusals.contains(status) else { return nil }
        guard hasTaken || knowsTwo else { return hasAsked ? nil : .unclear }
        // It takes others, or has read these: they are too old, out of order or at odds with what it has.
        return .refused(UInt64(batch.entries.count &- report.leftOut))
    }

    mutating func readEmpty(_ transfer: Transfer) {
        hasAsked = true
        guard let status = transfer.status, (200...299).contains(status) else { return }
        switch version {
        case .one: hasTaken = true
        // What knows no 2.0 answers so as well.
        case .two: if says(transfer.head) { knowsTwo = true }
        }
    }

    /// Whether an answer says what of 2.0 was written.
    private func says(_ head: ResponseHead) -> Bool {
        Self.written.contains { !head.values($0).isEmpty }
    }

    private mutating func readOne(_ status: Int) -> Profile.Reading? {
        if (200...299).contains(status) { hasTaken = true }
        guard status == 415, !isFixed else { return nil }
        version = .two
        return .again(because: "the receiver takes no remote write 1.0: 2.0 is sent from now on")
    }

    private mutating func readTwo(
        _ status: Int,
        _ head: ResponseHead,
        _ batch: Batch,
        _ report: EncodingReport
    ) -> Profile.Reading? {
        let isSuccess = (200...299).contains(status)
        guard says(head) else {
            if status == 400, !hasTaken, !knowsTwo, !hasAsked { return .unclear }
            let isUnknown = isSuccess || status == 415 || (status == 400 && !hasTaken && !knowsTwo)
            return isUnknown ? readUnknown(status) : nil
        }
        knowsTwo = true
        let count =
            head.values(Self.samplesWritten).last.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
        if count > 0 { hasTaken = true }
        guard isSuccess || (count > 0 && Self.refusals.contains(status)) else { return nil }
        guard count < report.lines else { return .delivered(rejected: 0, reason: "") }
        let missing = report.lines - max(0, count)
        return .delivered(
            rejected: UInt64(min(missing, batch.entries.count &- report.leftOut)),
            reason: "the receiver has written \(count) of \(report.lines) samples (HTTP \(status))")
    }

    /// The answer to 2.0 of a receiver that has not said how many samples it wrote.
    private mutating func readUnknown(_ status: Int) -> Profile.Reading? {
        // With 415 it has taken nothing; a success may be one of 2.0 from which a proxy took what was written.
        guard !isFixed, !knowsTwo || status == 415 else { return .judged(knowsTwo ? Self.stripped : Self.unknown) }
        version = .one
        return .again(because: "the receiver knows no remote write 2.0 (HTTP \(status)): 1.0 is sent from now on")
    }

    private static let stripped = StatusRule(
        0...999, .failed(.configuration),
        "The receiver does not say any more how many samples it has written.",
        "A proxy takes X-Prometheus-Remote-Write-Samples-Written out of answers: let it pass, or set version: 1.")
    private static let unknown = StatusRule(
        0...999, .failed(.configuration), "The receiver does not say how many samples it has written.",
        "It knows no remote write 2.0: set version to auto or 1.")
}
