internal import CKafka
internal import SondeDomain
internal import SondePluginKit

/// A configuration in librdkafka's own words.
struct ClientProperties {
    private struct Property {
        let name: String
        let value: Secret
        /// The option that it comes from.
        let option: String
        let refusal: Refusal
    }

    private var properties: [Property] = []

    /// The properties of a client; `password` is that of `sasl`.
    init(_ configuration: KafkaConfiguration, password: Secret?) {
        let timeout = configuration.timeout.milliseconds
        set("bootstrap.servers", configuration.brokers.joined(separator: ","), "brokers")
        set("client.id", configuration.clientID, "client_id")
        set("compression.codec", configuration.compression.rawValue, "compression")
        // In order and once while the client lives; which of two is the later is not for the network to say.
        set("enable.idempotence", "true")
        set("acks", "all")
        // The same as Java's clients use for a key.
        set("partitioner", "murmur2_random")
        // One message at a time is in hand: it leaves at once, and by itself, so that a broker's bound is about it alone.
        set("linger.ms", "0")
        set("batch.num.messages", "1")
        set("queue.buffering.max.messages", "4")
        let size = configuration.longestMessage + 4_096
        set("message.max.bytes", "\(size)", "max_message")
        set("queue.buffering.max.kbytes", "\(size / 1_024 * 2)", "max_message")
        // The client never gives a message up by itself: it would not know whether it is in.
        set("message.timeout.ms", "0")
        set("request.timeout.ms", "\(min(timeout, 900_000))", "timeout")
        set("socket.timeout.ms", "\(min(max(timeout, 1_000) + 1_000, 300_000))", "timeout")
        set("topic.metadata.propagation.max.ms", "\(min(timeout / 2, 30_000))", "timeout")
        set(
            "socket.connection.setup.timeout.ms", "\(max(configuration.connectTimeout.milliseconds, 1_000))",
            "connect_timeout")
        // As Java's clients have it; 10 s would be the time that a broker is back and gets nothing.
        set("reconnect.backoff.max.ms", "2000")
        set("socket.nagle.disable", "true")
        set("socket.keepalive.enable", "true")
        set("log.connection.close", "false")
        set("log.queue", "true")
        set("log_level", "5")
        set(configuration.tls, configuration.sasl, password)
    }

    private mutating func set(_ tls: TLSSettings?, _ sasl: SASLSettings?, _ password: Secret?) {
        set("security.protocol", (sasl == nil ? "" : "sasl_") + (tls == nil ? "plaintext" : "ssl"), "tls.enabled")
        if let tls {
            set("ssl.endpoint.identification.algorithm", "https")
            if let file = tls.authorityFile { set("ssl.ca.location", file, "tls.ca_file", .trust) }
            if let file = tls.certificateFile { set("ssl.certificate.location", file, "tls.cert_file", .trust) }
            if let file = tls.keyFile {
                set("ssl.key.location", file, "tls.key_file", .trust)
                // Without one, OpenSSL prompts for that of an encrypted key on the terminal.
                set("ssl.key.password", "-", "tls.key_file", .trust)
            }
        }
        if let sasl, let password {
            set("sasl.mechanism", sasl.mechanism.rawValue, "sasl.mechanism", .credentials)
            set("sasl.username", sasl.username, "sasl.username", .credentials)
            set("sasl.password", password, "sasl.password", .credentials)
        }
    }

    private mutating func set(
        _ name: String, _ value: String, _ option: String = "", _ refusal: Refusal = .address
    ) {
        set(name, Secret(value), option, refusal)
    }

    private mutating func set(_ name: String, _ value: Secret, _ option: String, _ refusal: Refusal) {
        properties.append(Property(name: name, value: value, option: option, refusal: refusal))
    }

    /// The same without brokers: a client that connects nowhere.
    var withoutBrokers: ClientProperties {
        var copy = self
        // It needs a broker to get its number from, and says so.
        copy.properties.removeAll { $0.name == "bootstrap.servers" || $0.name == "enable.idempotence" }
        return copy
    }

    /// A producer; it has threads from here on.
    func makeHandle() throws(PluginError) -> OpaquePointer {
        let conf = try makeConfiguration()
        var text = [CChar](repeating: 0, count: 512)
        // Takes the configuration over when it succeeds.
        if let handle = rd_kafka_new(RD_KAFKA_PRODUCER, conf, &text, text.count) { return handle }
        let cause = rd_kafka_last_error()
        rd_kafka_conf_destroy(conf)
        let words = ForeignText.line(Self.words(text), limit: 300)
        let refused = properties.first { $0.refusal == .trust && words.hasPart($0.name) }
        if cause == RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE {
            let rule = KafkaFault.localResource.rule
            throw PluginError(rule.code, rule.failureClass, "librdkafka: \(words)", hint: rule.recovery)
        }
        throw .refused(
            refused?.refusal ?? .address, "librdkafka: \(words)", hint: (refused?.refusal ?? .address).recovery,
            option: refused?.option ?? "")
    }

    private func makeConfiguration() throws(PluginError) -> OpaquePointer {
        guard let conf = rd_kafka_conf_new() else {
            let rule = KafkaFault.localResource.rule
            throw PluginError(rule.code, rule.failureClass, "librdkafka has no memory", hint: rule.recovery)
        }
        rd_kafka_conf_set_events(conf, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_LOG)
        var text = [CChar](repeating: 0, count: 512)
        for property in properties {
            let result = rd_kafka_conf_set(conf, property.name, property.value.reveal(), &text, text.count)
            guard result != RD_KAFKA_CONF_OK else { continue }
            rd_kafka_conf_destroy(conf)
            // Its words may repeat the value.
            let words = SecretMask([property.value]).masking(Self.words(text))
            throw .refused(
                property.refusal, "librdkafka: \(ForeignText.line(words, limit: 300))",
                hint: property.refusal.recovery, option: property.option)
        }
        return conf
    }

    private static func words(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Makes librdkafka read the files of `tls` as a client does, without connecting.
    func tryFiles() throws(PluginError) {
        rd_kafka_destroy(try withoutBrokers.makeHandle())
    }
}

extension Nanoseconds {
    fileprivate var milliseconds: Int64 { value / 1_000_000 }
}
