internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Posts each batch to an HTTP receiver, in the format of its profile.
///
/// The receiver has a batch when its answer means that by the profile's rules.
final class HTTPSink: ProbingSink {
    private let host: PluginHost
    private let configuration: HTTPConfiguration
    private let profile: Profile
    private var failure: DeliveryError
    private var hiddenSecrets = 0
    private let transport: Transport
    private var session: any ProfileSession
    private var body = ByteBuffer()
    private var streak = FaultStreak()
    private var brokenAcknowledgements = 0
    private var lastWarning = ""
    /// Kept where they are to end with the agent.
    private var openSeries: OpenSeries?

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        configuration = try HTTPConfiguration(host.options)
        profile = configuration.profile
        let address = configuration.transport.endpoint.display
        failure = DeliveryError(address: address, redaction: configuration.redaction())
        if let transfer = try TLSTrial.failure(configuration.transport) {
            throw failure.forFault(TransferFault(transfer), .configuration, of: transfer)
        }
        transport = try Transport(configuration.transport)
        var settings = configuration.profileSettings
        settings.began = host.wallTime
        session = profile.makeSession(settings)
        openSeries = configuration.staleOnStop && profile.marksEnds ? OpenSeries() : nil
    }

    func start() throws(PluginError) {
        try transport.start()
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        let delivery = try post(batch, call)
        openSeries?.take(batch)
        if call.isFinal { endSeries(call) }
        return delivery
    }

    func probe(_ call: PluginCall) throws(PluginError) {
        let (transfer, end) = try transport.connect(call)
        hideSecrets()
        guard transfer.code == 0 else {
            let fault = TransferFault(transfer)
            throw failure.forFault(fault, fault.rule.failureClass, of: transfer)
        }
        let now = host.wallTime.nanoseconds / 1_000_000_000
        if let end, let days = CertificateEnd.daysLeft(until: end, at: now) { throw failure.forCertificate(days) }
    }

    /// Marks what the receiver has as ended; a failure changes nothing of the batch that was delivered.
    private func endSeries(_ call: PluginCall) {
        var waiting = openSeries?.ends(at: call.time).map { [$0] } ?? []
        while let ends = waiting.popLast() {
            do throws(PluginError) {
                _ = try post(ends, call)
            } catch {
                if error.failureClass == .tooLarge, let (first, second) = OpenSeries.halves(of: ends) {
                    waiting += [second, first]
                    continue
                }
                let count = waiting.reduce(ends.series.count) { $0 + $1.series.count }
                return host.log(.info, "\(count) series are not marked as ended: \(error.message)")
            }
        }
    }

    private func post(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        if let delivery = try offer(batch, call) { return delivery }
        // In the form that the answer has asked for; another such answer is its failure.
        guard let delivery = try offer(batch, call) else { throw failure.forForms() }
        return delivery
    }

    /// Posts a batch once; nil: the receiver wants it in another form.
    private func offer(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery? {
        body.removeAll()
        let report = session.encode(batch, into: &body)
        let leftOut = Self.delivery(report)
        guard !body.isEmpty else { return leftOut }
        guard body.count <= configuration.longestBody else {
            throw failure.forBody(of: body.count, limit: configuration.longestBody)
        }
        guard !PollDescriptor.isReadable(call.cancelDescriptor) else { throw .cancelled }
        let transfer = try send(body.bytes, of: batch, points: report.lines, call)
        guard let taken = try judge(transfer, batch, report, call) else { return nil }
        return Delivery(
            rejectedPoints: leftOut.rejectedPoints &+ taken.rejectedPoints,
            message: taken.message.isEmpty ? leftOut.message : taken.message
        )
    }

    private func send(
        _ body: [UInt8], of batch: Batch, points: Int, _ call: PluginCall
    ) throws(PluginError) -> Transfer {
        let request = Request(
            fields: HeaderField.fields(
                of: batch, points: points, profile, session, configuration.compression,
                own: configuration.transport.headers),
            body: try configuration.compression.pack(body),
            answer: profile.answer
        )
        let transfer = try transport.post(request, call)
        hideSecrets()
        return transfer
    }

    /// Lets the session know what the receiver answers to a request without points.
    private func ask(_ batch: Batch, _ call: PluginCall) throws(PluginError) {
        let transfer = try send(session.emptyBody, of: batch, points: 0, call)
        let (status, rule) = try status(of: transfer)
        // A receiver that cannot say now is asked again with the batch.
        if let error = failure.forStatus(status, rule, of: transfer),
            [.transient, .rateLimited].contains(error.failureClass)
        {
            throw error
        }
        session.readEmpty(transfer)
    }

    /// The status of an answer, and what it means by itself.
    private func status(of transfer: Transfer) throws(PluginError) -> (Int, StatusRule) {
        guard let status = transfer.status else {
            let fault = TransferFault(transfer)
            throw failure.forFault(fault, streak.failureClass(of: fault), of: transfer)
        }
        streak.end()
        // A format speaks of its receivers, not of a proxy on the way.
        return (status, transfer.isProxyStatus ? .common(for: status) : profile.rule(for: status))
    }

    /// The result of an exchange: a delivery, its failure, or nil where the receiver wants another form.
    private func judge(
        _ transfer: Transfer,
        _ batch: Batch,
        _ report: EncodingReport,
        _ call: PluginCall
    ) throws(PluginError) -> Delivery? {
        let (status, own) = try status(of: transfer)
        var rule = own
        var reading = session.read(transfer, of: batch, report)
        if reading == .unclear {
            try ask(batch, call)
            reading = session.read(transfer, of: batch, report)
        }
        var transfer = transfer
        if let text = profile.text(transfer.body.bytes) { transfer.body = ReceivedText(text) }
        switch reading {
        case .delivered(let rejected, let reason):
            let words = failure.words(reason)
            if rejected == 0 { logOnce(words) }
            return Delivery(rejectedPoints: rejected, message: words)
        case .refused(let count, let words):
            let message = words.map { failure.message(status, $0) } ?? failure.message(status, transfer)
            return Delivery(rejectedPoints: count, message: message)
        case .again(let reason):
            host.log(.info, reason)
            return nil
        case .judged(let other): rule = other
        case .unclear, nil: break
        }
        if let error = failure.forStatus(status, rule, of: transfer) { throw error }
        if transfer.code != 0 { reportBrokenAcknowledgement(status, transfer) }
        return .complete
    }

    /// What files and token endpoints have given since is hidden too.
    private func hideSecrets() {
        guard transport.secretCount != hiddenSecrets else { return }
        hiddenSecrets = transport.secretCount
        failure = DeliveryError(
            address: failure.address, redaction: configuration.redaction(adding: transport.secrets))
    }

    // Once for each text: a receiver may have it in every answer.
    private func logOnce(_ warning: String) {
        guard !warning.isEmpty, warning != lastWarning else { return }
        lastWarning = warning
        host.log(.warning, warning)
    }

    // Sent again it would be there twice, and again for ever: the status is the acknowledgement.
    private func reportBrokenAcknowledgement(_ status: Int, _ transfer: Transfer) {
        brokenAcknowledgements &+= 1
        host.log(
            .debug,
            "HTTP \(status) and then a body that is \(transfer.isCutOff ? "too long" : "broken"): taken as delivered;"
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
