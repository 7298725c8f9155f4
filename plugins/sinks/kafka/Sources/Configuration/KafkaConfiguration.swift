internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Everything that one instance was configured with, checked.
struct KafkaConfiguration: Sendable {
    /// Where the first connections go, `host` or `host:port` each.
    let brokers: [String]
    /// What messages are written to.
    let topic: String
    /// How a message is written.
    let format: MessageFormat
    /// What OTLP says of the agent.
    let otlp: OTLPSettings
    /// The codec of librdkafka that packs messages.
    let compression: Compression
    /// How many bytes a message may have before it is packed.
    let longestMessage: Int
    /// How many bytes the messages of a batch may have together.
    let longestBody: Int
    /// What brokers know the client by, in logs and quotas.
    let clientID: String
    /// Bound on one delivery.
    let timeout: Nanoseconds
    /// Bound on one connection, handshakes included.
    let connectTimeout: Nanoseconds
    /// How brokers are verified; nil: connections are not encrypted.
    let tls: TLSSettings?
    /// What authenticates the agent; nil: nothing does.
    let sasl: SASLSettings?

    /// The words of the option `compression`, which are librdkafka's.
    enum Compression: String, CaseIterable, Sendable {
        case zstd, lz4, snappy, gzip, none
    }

    /// Reads and checks the options; the first one at fault is named.
    ///
    /// Accesses only the files of `tls` and `sasl`, which it opens for reading.
    init(_ options: Options) throws(PluginError) {
        brokers = try Self.brokers(options.list("brokers"))
        topic = try Self.topic(options.string("topic") ?? "")
        format = MessageFormat(rawValue: options.string("format") ?? "") ?? .json
        otlp = OTLPSettings(
            serviceName: options.string("job") ?? "sonde", resourceToAttributes: options.list("resource_to_attributes"))
        compression = Compression(rawValue: options.string("compression") ?? "") ?? .zstd
        longestMessage = Int(options.size("max_message") ?? Self.defaultMessage)
        longestBody = Int(options.size("max_body") ?? 32 << 20)
        clientID = try Self.clientID(options.string("client_id") ?? "sonde")
        timeout = options.duration("timeout") ?? .seconds(30)
        connectTimeout = options.duration("connect_timeout") ?? .seconds(5)
        tls = try TLSSettings(options)
        sasl = try SASLSettings(options)
        guard sasl == nil || tls != nil || options.bool("allow_insecure") == true else {
            throw .refused(
                .credentials, "sasl would travel unencrypted to \(brokers[0])",
                hint: "Set tls.enabled: true, or allow_insecure: true where no other host can listen.",
                option: "sasl.mechanism")
        }
    }

    // A broker of usual settings takes 1,048,588 bytes, the message's head included.
    private static let defaultMessage: Int64 = 960 << 10

    private static func brokers(_ brokers: [String]) throws(PluginError) -> [String] {
        func refused(_ fault: String) -> PluginError {
            .refused(.address, "brokers \(fault)", hint: "Write it like [kafka-1.example.net:9092].", option: "brokers")
        }
        guard !brokers.isEmpty else { throw refused("is empty") }
        for broker in brokers {
            let bytes = Array(broker.utf8)
            // librdkafka splits at commas and takes what stands before :// for a protocol, over that of the options.
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x2c && $0 != 0x2f }) else {
                throw refused("has an entry that is no host with a port: '\(ForeignText.line(broker, limit: 128))'")
            }
            let port = bytes.lastIndex(of: 0x3a).map { bytes[($0 + 1)...] } ?? []
            let isBare = bytes.count { $0 == 0x3a } > 1 && bytes.last == 0x5d
            guard port.isEmpty || isBare || UInt16(String(decoding: port, as: UTF8.self)) ?? 0 > 0 else {
                throw refused("has an entry without a port: '\(broker)'")
            }
        }
        return brokers
    }

    // Kafka's own rule: org.apache.kafka.common.internals.Topic
    private static func topic(_ topic: String) throws(PluginError) -> String {
        let isLegal = topic.utf8.allSatisfy { byte in
            switch byte {
            case 0x2d, 0x2e, 0x5f, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: false
            }
        }
        guard isLegal, (1...249).contains(topic.utf8.count), topic != ".", topic != ".." else {
            throw .refused(
                .address, "topic '\(ForeignText.line(topic, limit: 64))' is no name of a topic",
                hint: "Use 1 to 249 of a-z, A-Z, 0-9, dot, hyphen and underscore.", option: "topic")
        }
        return topic
    }

    private static func clientID(_ text: String) throws(PluginError) -> String {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .refused(
                .address, "client_id is empty, too long, or has a character beyond printable ASCII",
                hint: "Write it like sonde.", option: "client_id")
        }
        return text
    }
}

extension KafkaConfiguration {
    private static let patience = OptionDefinition.ValueType.duration(.seconds(1)...(.seconds(600)))

    /// Every option of the sink.
    static let options =
        [
            OptionDefinition(
                "brokers", .list, required: true,
                help: "Hosts with ports to begin with; the brokers name the others themselves.",
                example: "[kafka-1.example.net:9092, kafka-2.example.net:9092]"),
            OptionDefinition(
                "topic", .string, required: true, help: "The topic that messages are written to.",
                example: "sonde"),
            OptionDefinition(
                "format", .choice(MessageFormat.allCases.map(\.rawValue)), default: MessageFormat.json.rawValue,
                help: "How a message is written: json is one JSON object per line; otlp is an"
                    + " ExportMetricsServiceRequest in protobuf."),
            OptionDefinition(
                "compression", .choice(Compression.allCases.map(\.rawValue)), default: Compression.zstd.rawValue,
                help: "How messages are packed; zstd needs brokers and consumers of Kafka 2.1 or later."),
            OptionDefinition(
                "max_message", .size((1 << 10)...(64 << 20)), default: "960KiB",
                help: "The longest message before it is packed; a batch becomes as many messages as it needs."),
            OptionDefinition(
                "max_body", .size((64 << 10)...(64 << 20)), default: "32MiB",
                help: "The most that the messages of a batch have together; a longer batch is halved."),
            OptionDefinition(
                "client_id", .string, default: "sonde", help: "What brokers know the agent by, in logs and quotas."),
            OptionDefinition("job", .string, default: "sonde", help: "service.name of otlp; \"\" for none."),
            OptionDefinition(
                "resource_to_attributes", .list,
                help: "Attributes of the resource that each data point of otlp has too, by name, with * and ?.",
                example: "[host.name, site]"),
            OptionDefinition("timeout", patience, default: "30s", help: "The most that one delivery may take."),
            OptionDefinition(
                "connect_timeout", patience, default: "5s",
                help: "The most that a connection may take, handshakes included."),
            OptionDefinition(
                "allow_insecure", .bool, default: "false", help: "Allows sasl without tls."),
        ] + TLSSettings.options + SASLSettings.options
}
