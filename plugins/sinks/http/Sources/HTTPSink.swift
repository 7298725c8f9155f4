internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Posts each batch to an HTTP receiver, in the format of its profile.
///
/// The receiver has a batch when its answer means that by the profile's rules.
final class HTTPSink: Sink {
    private let host: PluginHost
    private let configuration: HTTPConfiguration
    private let profile: Profile
    private let failure: DeliveryError
    private let transport: Transport
    private var encoder: any BatchEncoder
    private var body = ByteBuffer()
    private var streak = FaultStreak()
    private var brokenAcknowledgements = 0

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        configuration = try HTTPConfiguration(host.options)
        profile = configuration.profile
        let address = configuration.transport.endpoint.display
        failure = DeliveryError(address: address, redaction: configuration.redaction)
        if let transfer = try TLSTrial.failure(configuration.transport) {
            throw failure.forFault(TransferFault(transfer), .configuration, of: transfer)
        }
        transport = Transport(configuration.transport)
        encoder = profile.makeEncoder()
    }

    func start() throws(PluginError) {
        try transport.start()
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        body.removeAll()
        let report = encoder.encode(batch, into: &body)
        let leftOut = Self.delivery(report)
        guard !body.isEmpty else { return leftOut }
        guard !PollDescriptor.isReadable(call.cancelDescriptor) else { throw .cancelled }
        let request = Request(
            fields: HeaderField.fields(
                of: batch, points: report.lines, profile, configuration.compression, own: configuration.headers),
            body: try configuration.compression.pack(body.bytes),
            answer: profile.answer
        )
        let taken = try judge(try transport.post(request, call))
        return Delivery(
            rejectedPoints: leftOut.rejectedPoints &+ taken.rejectedPoints,
            message: taken.message.isEmpty ? leftOut.message : taken.message
        )
    }

    /// The result of an exchange: a delivery, or its failure.
    private func judge(_ transfer: Transfer) throws(PluginError) -> Delivery {
        guard let status = transfer.status else {
            let fault = TransferFault(transfer)
            throw failure.forFault(fault, streak.failureClass(of: fault), of: transfer)
        }
        streak.end()
        let reading = profile.read(transfer)
        if case .delivered(let rejected, let reason)? = reading {
            return Delivery(rejectedPoints: rejected, message: reason)
        }
        var meant = status
        if case .asStatus(let other)? = reading { meant = other }
        if let error = failure.forStatus(status, profile.rule(for: meant), of: transfer) { throw error }
        if transfer.code != 0 { reportBrokenAcknowledgement(status, transfer) }
        return .complete
    }

    // Sent again it would be there twice, and again for ever: the status is the acknowledgement.
    private func reportBrokenAcknowledgement(_ status: Int, _ transfer: Transfer) {
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
