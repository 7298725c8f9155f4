internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Posts each batch to an HTTP receiver as lines of JSON.
///
/// The receiver has a batch when it answers with a status of the 2xx range.
final class HTTPSink: Sink {
    private let host: PluginHost
    private let configuration: HTTPConfiguration
    private let failure: DeliveryError
    private var encoder: any BatchEncoder
    private var body = ByteBuffer()
    private var session: CurlSession?
    private var streak = FaultStreak()
    private var brokenAcknowledgements = 0

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        configuration = try HTTPConfiguration(host.options)
        failure = DeliveryError(address: configuration.endpoint.display, redaction: configuration.redaction)
        encoder = configuration.format.makeEncoder()
    }

    func start() throws(PluginError) {
        guard session == nil else { return }
        session = try CurlSession()
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        body.removeAll()
        let report = encoder.encode(batch, into: &body)
        guard !body.isEmpty else { return Self.delivery(report) }
        guard !PollDescriptor.isReadable(call.cancelDescriptor) else { throw .cancelled }
        let headers = RequestHeaders(
            batch,
            lines: report.lines,
            contentType: configuration.format.contentType,
            own: configuration.headers
        )
        try conclude(try exchange(headers, call))
        return Self.delivery(report)
    }

    private func exchange(_ headers: RequestHeaders, _ call: PluginCall) throws(PluginError) -> Transfer {
        try start()
        guard let session else { throw .libcurl("no session") }
        let transfer = try CurlTransfer(receiver: ResponseReceiver())
        try transfer.apply(configuration)
        // An empty Expect keeps libcurl from waiting for 100 Continue before a large body.
        try transfer.setFields(headers.lines + ["Expect:"])
        let now = MonotonicInstant.now
        let deadline = min(call.deadline, now.advanced(by: configuration.timeout))
        try transfer.setTimeout(deadline.since(now))
        let code = try body.bytes.withUnsafeBufferPointer { bytes throws(PluginError) in
            try transfer.setBody(bytes)
            return try session.run(transfer, until: deadline, cancel: call.cancelDescriptor)
        }
        return transfer.result(code)
    }

    private func conclude(_ transfer: Transfer) throws(PluginError) {
        guard let status = transfer.status else {
            let fault = TransferFault(transfer)
            throw failure.forFault(fault, streak.failureClass(of: fault), of: transfer)
        }
        streak.end()
        if let error = failure.forStatus(status, of: transfer) { throw error }
        guard transfer.code != 0 else { return }
        // Sent again it would be there twice, and again for ever: the status is the acknowledgement.
        brokenAcknowledgements &+= 1
        host.log(
            .debug,
            "HTTP \(status) and then a body that is \(transfer.code == 23 ? "too long" : "broken"): taken as delivered;"
                + " \(brokenAcknowledgements) so far (libcurl \(transfer.code))"
        )
    }

    static func delivery(_ report: EncodingReport) -> Delivery {
        let leftOut = report.leftOut &+ report.documentsLeftOut
        guard leftOut > 0 else { return .complete }
        return Delivery(
            rejectedPoints: UInt64(clamping: leftOut),
            message: "\(leftOut) points or documents cannot be said in this format"
        )
    }
}
