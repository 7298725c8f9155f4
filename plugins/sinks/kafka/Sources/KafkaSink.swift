internal import CKafka
internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Writes each batch to a topic, as one or several messages with the agent's id as their key.
///
/// The brokers have a batch when they have confirmed each of its messages. One message is under way at a time: the order of an
/// agent's samples is that of its messages, whatever fails.
final class KafkaSink: ProbingSink {
    private let host: PluginHost
    private let configuration: KafkaConfiguration
    private var writer: any MessageWriter
    private var body = ByteBuffer()
    private var pending: PendingBatch?
    private var client: KafkaClient?
    private var trouble = ClientTrouble()
    private var secrets: [Secret] = []
    /// The longest message that is written; what brokers refuse makes it smaller.
    private var limit: Int

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        configuration = try KafkaConfiguration(host.options)
        limit = configuration.longestMessage
        writer = configuration.format.makeWriter(configuration.otlp)
        if configuration.tls != nil {
            try ClientProperties(configuration, password: configuration.sasl?.secret()).tryFiles()
        }
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        try begin(batch)
        let deadline = min(call.deadline, MonotonicInstant.now.advanced(by: configuration.timeout))
        while let message = pending?.next {
            try send(message, of: batch, until: deadline, call)
        }
        let leftOut = pending?.leftOut ?? 0
        pending = nil
        guard leftOut > 0 else { return .complete }
        return Delivery(
            rejectedPoints: UInt64(clamping: leftOut),
            message: "\(leftOut) points or documents cannot be said in this format")
    }

    func probe(_ call: PluginCall) throws(PluginError) {
        let client = try openClient()
        // The client reports why it cannot connect; the question itself only times out.
        let deadline = min(call.deadline, patience)
        while MonotonicInstant.now < deadline {
            guard !client.findsBrokers(within: .milliseconds(500)) else { return }
            while let event = try client.next(until: .now, cancel: call.cancelDescriptor) {
                if case .failure(let cause) = event { trouble.take(cause) }
            }
            if let cause = trouble.refusal { throw fail(cause) }
            guard trouble.isDown else { continue }
            throw fail(trouble.cause ?? KafkaError(RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN))
        }
        throw fail(trouble.cause ?? KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT))
    }

    /// Writes the messages of a batch, unless it is the one that is under way.
    private func begin(_ batch: Batch) throws(PluginError) {
        if let pending, pending.isAttempt(of: batch) { return }
        // Nobody waits for its message any more, and its report must not be taken for another's.
        if pending?.isInFlight == true { client = nil }
        pending = nil
        pending = PendingBatch(batch, try write(batch, from: 0))
    }

    private func write(_ batch: Batch, from first: Int) throws(PluginError) -> WrittenBatch {
        body.removeAll()
        let written: WrittenBatch
        do throws(Oversize) {
            written = try writer.write(batch, from: first, limit: limit, into: &body)
        } catch {
            throw failure(
                .tooLarge, "a sample alone has \(error.bytes) bytes, and a message at most \(limit)",
                hint: "Raise max_message where the brokers take more.")
        }
        guard body.count <= configuration.longestBody else {
            throw failure(
                .tooLarge, "the messages would have \(body.count) bytes, and max_body is \(configuration.longestBody)",
                hint: "Raise max_body, or lower batch.samples.", option: "max_body")
        }
        return written
    }

    /// Sends the next message of the batch, unless it is under way, and waits until it is confirmed.
    private func send(
        _ message: Message, of batch: Batch, until deadline: MonotonicInstant, _ call: PluginCall
    ) throws(PluginError) {
        let client = try openClient()
        if pending?.isInFlight == false {
            if let error = client.takeFatal() { throw fail(error) }
            try produce(message, of: batch, client)
        }
        var deadline = trouble.isDown ? min(deadline, patience) : deadline
        while true {
            guard let event = try client.next(until: deadline, cancel: call.cancelDescriptor) else {
                throw fail(trouble.cause ?? KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT))
            }
            switch event {
            case .report(nil):
                pending?.confirm()
                trouble = ClientTrouble()
                return
            case .report(let error?):
                pending?.isInFlight = false
                guard KafkaFault(error) == .tooLarge, message.items.count > 1 else { throw fail(error) }
                return try split(message, of: batch)
            case .fatal(let error): throw fail(error)
            case .failure(let error):
                trouble.take(error)
                if let cause = trouble.refusal { throw fail(cause) }
                if trouble.isDown { deadline = min(deadline, patience) }
            }
        }
    }

    /// How long the client may look for a broker when it has lost them all.
    private var patience: MonotonicInstant { .now.advanced(by: configuration.connectTimeout) }

    private func produce(_ message: Message, of batch: Batch, _ client: KafkaClient) throws(PluginError) {
        guard let pending else { return }
        let headers = [
            ("content-type", configuration.format.contentType), ("Sonde-Format", configuration.format.rawValue),
            ("Sonde-Agent", batch.identity.agent), ("Sonde-Batch", batch.identity.text), ("Sonde-Sink", batch.sink),
            ("Sonde-Part", pending.part(message)), ("Sonde-Points", "\(message.points)"),
        ]
        do throws(KafkaError) {
            try body.bytes.withUnsafeBufferPointer { bytes throws(KafkaError) in
                try client.produce(
                    UnsafeBufferPointer(rebasing: bytes[message.bytes]), key: batch.identity.agent,
                    headers: headers, topic: configuration.topic)
            }
        } catch {
            throw fail(error)
        }
        self.pending?.isInFlight = true
    }

    /// Writes what is not confirmed in smaller messages, since a broker has refused this one for its size.
    private func split(_ message: Message, of batch: Batch) throws(PluginError) {
        limit = max(1_024, message.bytes.count / 2)
        host.log(.info, "the brokers take no message of \(message.bytes.count) bytes: at most \(limit) from now on")
        let waiting = pending
        // Its messages are places in the body, which is written anew.
        pending = nil
        let written = try write(batch, from: message.items.lowerBound)
        pending = waiting
        pending?.replace(written)
    }

    private func openClient() throws(PluginError) -> KafkaClient {
        if let client { return client }
        pending?.isInFlight = false
        trouble = ClientTrouble()
        let password = try configuration.sasl?.secret()
        if let password, !secrets.contains(password) { secrets = secrets.suffix(7) + [password] }
        let client = try KafkaClient(
            ClientProperties(configuration, password: password), ClientLog(host.logger, hiding: secrets))
        self.client = client
        return client
    }

    /// The error for a failure; a client that has no use any more, or must leave the brokers alone, is gone after it.
    private func fail(_ error: KafkaError) -> PluginError {
        let fault = error.isFatal && KafkaFault(error) == .other ? .fatal : KafkaFault(error)
        let failureClass = trouble.failureClass(of: fault, error)
        if error.isFatal || fault == .fatal || failureClass == .configuration || failureClass == .accessRefused {
            client = nil
            pending?.isInFlight = false
        }
        let words = SecretMask(secrets).masking(error.text)
        return failure(
            fault, "\(fault.rule.meaning.dropLast()) (\(error.name): \(ForeignText.line(words, limit: 300)))",
            failureClass: failureClass)
    }

    private func failure(
        _ fault: KafkaFault, _ message: String, hint: String? = nil, option: String? = nil,
        failureClass: FailureClass? = nil
    ) -> PluginError {
        PluginError(
            fault.rule.code, failureClass ?? fault.rule.failureClass,
            "\(configuration.topic) at \(configuration.brokers[0]): \(message)", hint: hint ?? fault.rule.recovery,
            optionPath: option ?? fault.optionPath)
    }
}

/// What a client has reported since a message was confirmed last.
private struct ClientTrouble {
    /// Whether no broker can be reached.
    private(set) var isDown = false
    /// The last failure that says why.
    private(set) var cause: KafkaError?
    private var handshakes = 0

    mutating func take(_ error: KafkaError) {
        if error.code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN {
            isDown = true
        } else {
            cause = error
        }
    }

    /// The last failure, where another try would end in the same: a password that one broker refuses, and is not tried again lest
    /// its user be locked, or certificates that fit no broker.
    var refusal: KafkaError? {
        guard let cause else { return nil }
        switch KafkaFault(cause) {
        case .notAuthenticated: return cause
        case .handshake: return isDown ? cause : nil
        default: return nil
        }
    }

    /// The class of a fault.
    ///
    /// A broker that ends amid a handshake is no mistake of the configuration; one that ends three in a row is.
    mutating func failureClass(of fault: KafkaFault, _ error: KafkaError) -> FailureClass {
        guard fault == .handshake, !error.text.hasPart("verify failed"), !error.text.hasPart("alert") else {
            return fault.rule.failureClass
        }
        handshakes &+= 1
        return handshakes < 3 ? .transient : fault.rule.failureClass
    }
}
